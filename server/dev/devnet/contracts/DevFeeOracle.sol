// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// The fee oracle of an OP-stack chain, with made-up prices: a million wei for each byte of data, and a small fee for the operator.
contract DevFeeOracle {
    function getL1Fee(bytes calldata transaction) external pure returns (uint256) {
        return 1_000_000 * (transaction.length + 68);
    }

    function getOperatorFee(uint256 gasUsed) external pure returns (uint256) {
        return gasUsed * 90_000 + 5_000_000_000;
    }
}
