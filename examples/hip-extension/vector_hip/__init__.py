# SPDX-License-Identifier: Apache-2.0
"""Vectors on AMD GPUs."""
