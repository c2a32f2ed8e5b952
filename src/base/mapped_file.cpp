// SPDX-License-Identifier: Apache-2.0
#include "base/mapped_file.hpp"

#include <cerrno>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

#include "base/descriptor.hpp"

namespace wheelforge {

MappedFile::MappedFile(const std::filesystem::path& path) {
    const Descriptor file = open_for_reading(path);
    const auto size = static_cast<std::size_t>(file_size(file, path));
    if (size == 0) {
        return;
    }
    void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (start == MAP_FAILED) {
        throw file_error(FileAction::read, path.native(), errno);
    }
    bytes_ = {static_cast<const char*>(start), size};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) {
        ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
    }
}

void MappedFile::drop(std::string_view part) const noexcept {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = (reinterpret_cast<std::uintptr_t>(part.data()) + page - 1) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(part.data() + part.size()) / page * page;
    if (begin < end) {
        ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
    }
}

}  // namespace wheelforge
