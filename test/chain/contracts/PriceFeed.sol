// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A price feed with the face of a Chainlink aggregator that answers whatever it was told last.
contract PriceFeed {
    uint8 public immutable decimals;
    int256 private answer;
    uint256 private updatedAt;
    bool private silent;

    error Silent();

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    function set(int256 answer_, uint256 updatedAt_) external {
        answer = answer_;
        updatedAt = updatedAt_;
        silent = false;
    }

    function fallSilent() external {
        silent = true;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        if (silent) revert Silent();
        return (1, answer, updatedAt, updatedAt, 1);
    }
}
