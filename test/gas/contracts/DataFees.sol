// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/**
 * Stand-in for the GasPriceOracle that every OP-stack chain has from the start, for test chains that have none. Its fee for
 * data is made up: 1,000,000 wei for each byte of the transaction and of the 68 bytes that the real one adds for the
 * signature. As before Isthmus it knows no operator fee.
 */
contract StandInGasPriceOracle {
    function getL1Fee(bytes calldata unsignedTransaction) external pure returns (uint256) {
        require(uint8(unsignedTransaction[0]) == 2, "not a transaction of EIP-1559");
        return 1_000_000 * (unsignedTransaction.length + 68);
    }
}

/**
 * GasPriceOracle since Isthmus, with the formula of its operator fee: a scalar in millionths of a wei per gas, and a
 * constant.
 */
contract StandInIsthmusOracle is StandInGasPriceOracle {
    uint256 public constant operatorFeeScalar = 90_000_000_000;
    uint256 public constant operatorFeeConstant = 5_000_000_000;

    function getOperatorFee(uint256 gasUsed) external pure returns (uint256) {
        return gasUsed * operatorFeeScalar / 1e6 + operatorFeeConstant;
    }
}

/** GasPriceOracle of Mantle, whose coin is not ether: 3,020 of it are one. */
contract StandInMantleOracle is StandInIsthmusOracle {
    uint256 public constant tokenRatio = 3_020;
}

/**
 * Stand-in for the NodeInterface that the nodes of Arbitrum answer for, for test chains that have none. Its gas is made
 * up: 7 for each byte of the call data.
 */
contract StandInNodeInterface {
    function gasEstimateL1Component(address to, bool contractCreation, bytes calldata data)
        external
        payable
        returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)
    {
        require(to != address(0) && !contractCreation, "not a call");
        return (uint64(7 * data.length), block.basefee, 1 gwei);
    }
}
