// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/** An aggregator that answers what it is told to. Also serves as a sequencer's uptime feed. */
contract TestAggregator {
    uint8 public decimals;
    int256 private answer;
    uint256 private startedAt;
    uint256 private updatedAt;

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    function set(int256 answer_, uint256 startedAt_, uint256 updatedAt_) external {
        answer = answer_;
        startedAt = startedAt_;
        updatedAt = updatedAt_;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, answer, startedAt, updatedAt, 1);
    }
}

/** As much of a token as a price feed looks at. */
contract TestPooledToken {
    uint8 public decimals;

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }
}

/** A pool that stays at the tick it is put on and remembers since when, like a Uniswap v3 pool's oracle. */
contract TestPool {
    struct Stay {
        uint256 since;
        int56 tick;
        int56 cumulative;
    }

    address public token0;
    address public token1;
    Stay[] private stays;

    constructor(address tokenA, address tokenB, int56 tick) {
        (token0, token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        stays.push(Stay(block.timestamp, tick, 0));
    }

    function moveTo(int56 tick) external {
        stays.push(Stay(block.timestamp, tick, cumulativeAt(block.timestamp)));
    }

    function observe(uint32[] calldata secondsAgos) external view returns (int56[] memory, uint160[] memory) {
        int56[] memory cumulatives = new int56[](secondsAgos.length);
        for (uint256 i = 0; i < secondsAgos.length; i++) cumulatives[i] = cumulativeAt(block.timestamp - secondsAgos[i]);
        return (cumulatives, new uint160[](secondsAgos.length));
    }

    function cumulativeAt(uint256 time) private view returns (int56) {
        for (uint256 i = stays.length; i > 0; i--) {
            Stay storage stay = stays[i - 1];
            if (stay.since <= time) return stay.cumulative + stay.tick * int56(uint56(time - stay.since));
        }
        revert("OLD");
    }
}
