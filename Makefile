# Every target does its own set-up. The work is done by the scripts in tools/; this file only
# gives them names.

SECONDS ?= 30
FILTER  ?= .

.DEFAULT_GOAL := help
.PHONY: help run test test-cluster build check tidy bench fuzz asan tsan format generate clean

help: ## Show this list
	@echo 'usage: make TARGET'
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build berth and show a demonstration, live
	@tools/run

test: ## Build everything and run all tests
	@tools/test release

test-cluster: ## Run Berth on a real control plane; needs Go
	@tools/test-cluster

build: ## Build the program: build/berth
	@tools/build release berth

check: ## Format, purity, scripts, docs, generated files and clang-tidy
	@tools/check

tidy: ## Only clang-tidy; what did not change is not looked at again
	@tools/setup check
	@tools/check-tidy

bench: ## Run the benchmarks (FILTER=regex); figures also in build/bench.json
	@tools/bench '$(FILTER)'

fuzz: ## Run every fuzzer for SECONDS=30
	@tools/fuzz $(SECONDS)

asan: ## Run all tests under AddressSanitizer and UBSan
	@tools/test asan

tsan: ## Run all tests under ThreadSanitizer
	@tools/test tsan

format: ## Lay out the sources with clang-format
	@tools/check-format --write

generate: ## Regenerate the committed generated files
	@tools/check-generated --write

clean: ## Delete build/
	@rm -rf build
