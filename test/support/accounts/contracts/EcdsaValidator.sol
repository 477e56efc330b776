// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

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

/** Stands in for the validators of Kernel and Nexus that check the signature of one owner: no package has their code. */
contract EcdsaValidator {
    uint256 private constant VALIDATOR = 1;
    mapping(address => address) private owners;

    function onInstall(bytes calldata data) external payable {
        owners[msg.sender] = address(bytes20(data));
    }

    function isModuleType(uint256 moduleType) external pure returns (bool) {
        return moduleType == VALIDATOR;
    }

    function isInitialized(address account) external view returns (bool) {
        return owners[account] != address(0);
    }

    function validateUserOp(PackedUserOperation calldata operation, bytes32 hash) external payable returns (uint256) {
        bytes calldata signature = operation.signature;
        bytes32 signed = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", hash));
        address signer = ecrecover(
            signed,
            uint8(signature[64]),
            bytes32(signature[:32]),
            bytes32(signature[32:64])
        );
        return signer == owners[operation.sender] ? 0 : 1;
    }
}
