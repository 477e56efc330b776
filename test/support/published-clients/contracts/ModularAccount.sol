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

/** The least of a modular account (ERC-7579) for EntryPoint 0.7: one owner, calls one by one or in batches. */
contract ModularAccount {
    struct Execution {
        address target;
        uint256 value;
        bytes callData;
    }

    bytes1 private constant SINGLE = 0x00;
    bytes1 private constant BATCH = 0x01;

    address private immutable ENTRY_POINT;
    address private immutable OWNER;

    error OnlyEntryPoint();
    error ModeNotSupported(bytes32 mode);

    constructor(address entryPoint, address owner) {
        ENTRY_POINT = entryPoint;
        OWNER = owner;
    }

    modifier onlyEntryPoint() {
        if (msg.sender != ENTRY_POINT) revert OnlyEntryPoint();
        _;
    }

    receive() external payable {}

    /** The owner's EIP-191 signature of the hash, 65 bytes. */
    function validateUserOp(PackedUserOperation calldata operation, bytes32 operationHash, uint256 missingFunds)
        external
        onlyEntryPoint
        returns (uint256 validationData)
    {
        bytes calldata signature = operation.signature;
        bytes32 digest = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", operationHash));
        address signer = ecrecover(
            digest, uint8(bytes1(signature[64:65])), bytes32(signature[0:32]), bytes32(signature[32:64])
        );
        if (signer == address(0) || signer != OWNER) validationData = 1;
        if (missingFunds > 0) _call(msg.sender, missingFunds, "");
    }

    function execute(bytes32 mode, bytes calldata executionCalldata) external payable onlyEntryPoint {
        if (bytes1(mode) == SINGLE) {
            address target = address(bytes20(executionCalldata[0:20]));
            _call(target, uint256(bytes32(executionCalldata[20:52])), executionCalldata[52:]);
        } else if (bytes1(mode) == BATCH) {
            Execution[] memory batch = abi.decode(executionCalldata, (Execution[]));
            for (uint256 i = 0; i < batch.length; i++) _call(batch[i].target, batch[i].value, batch[i].callData);
        } else {
            revert ModeNotSupported(mode);
        }
    }

    function _call(address target, uint256 value, bytes memory data) private {
        (bool success, bytes memory result) = target.call{value: value}(data);
        if (success) return;
        assembly ("memory-safe") {
            revert(add(result, 32), mload(result))
        }
    }
}

contract ModularAccountFactory {
    address private immutable ENTRY_POINT;

    constructor(address entryPoint) {
        ENTRY_POINT = entryPoint;
    }

    function createAccount(address owner) external returns (address) {
        return address(new ModularAccount{salt: 0}(ENTRY_POINT, owner));
    }

    function addressOf(address owner) external view returns (address) {
        bytes memory creation = abi.encodePacked(type(ModularAccount).creationCode, abi.encode(ENTRY_POINT, owner));
        bytes32 hash = keccak256(abi.encodePacked(hex"ff", address(this), bytes32(0), keccak256(creation)));
        return address(uint160(uint256(hash)));
    }
}
