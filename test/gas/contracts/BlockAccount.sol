// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// An account of EntryPoint 0.9 whose signatures, whatever they are, are good for some blocks instead of for some time.
contract BlockAccount {
    struct PackedUserOperation {
        address sender;
        uint256 nonce;
        bytes initCode;
        bytes callData;
        bytes32 accountGasLimits;
        uint256 preVerificationGas;
        bytes32 gasFees;
        bytes paymasterAndData;
        bytes signature;
    }

    uint48 private constant BLOCK_NUMBER = 0x800000000000;

    uint48 private immutable last;
    uint256 public calls;

    constructor(uint48 last_) {
        last = last_;
    }

    function validateUserOp(PackedUserOperation calldata, bytes32, uint256) external view returns (uint256) {
        return uint256(BLOCK_NUMBER | 1) << 208 | uint256(BLOCK_NUMBER | last) << 160;
    }

    function count() external {
        calls++;
    }
}
