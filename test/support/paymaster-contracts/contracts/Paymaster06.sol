// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

// What the test paymasters for EntryPoint 0.6 have in common. Each restates digest, data layout and charge of a published
// contract of Biconomy's, and nothing else of it: they have no owner and cannot be changed.

struct UserOperation {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    uint256 callGasLimit;
    uint256 verificationGasLimit;
    uint256 preVerificationGas;
    uint256 maxFeePerGas;
    uint256 maxPriorityFeePerGas;
    bytes paymasterAndData;
    bytes signature;
}

/// What paymasterAndData says; what a kind of paymaster does not have stays zero.
struct Terms {
    address paymasterId;
    uint48 validUntil;
    uint48 validAfter;
    uint8 priceSource;
    address token;
    address oracleAggregator;
    uint256 exchangeRate;
    uint32 priceMarkup;
    bytes signature;
}

interface IEntryPoint {
    function depositTo(address account) external payable;
    function withdrawTo(address payable withdrawAddress, uint256 withdrawAmount) external;
}

abstract contract Paymaster06 {
    IEntryPoint public immutable entryPoint;
    address public immutable verifyingSigner;

    constructor(IEntryPoint entryPoint_, address signer) {
        entryPoint = entryPoint_;
        verifyingSigner = signer;
    }

    /// Reads paymasterAndData.
    function parse(bytes calldata data) public pure virtual returns (Terms memory);

    /// What the signer signs.
    function digestOf(UserOperation calldata op) external view returns (bytes32) {
        return _digest(op, parse(op.paymasterAndData));
    }

    function validatePaymasterUserOp(UserOperation calldata op, bytes32 userOpHash, uint256 maxCost)
        external
        returns (bytes memory context, uint256 validationData)
    {
        require(msg.sender == address(entryPoint), "not the EntryPoint");
        Terms memory terms = parse(op.paymasterAndData);
        bool signed = _isSigned(_digest(op, terms), terms.signature);
        validationData = (signed ? 0 : 1) | (uint256(terms.validUntil) << 160) | (uint256(terms.validAfter) << 208);
        // A signature that is not known ends validation without a context, and so without postOp.
        if (signed) context = _accept(op, terms, maxCost);
        if (context.length > 0) context = bytes.concat(userOpHash, context);
    }

    function postOp(uint8 mode, bytes calldata context, uint256 actualGasCost) external {
        require(msg.sender == address(entryPoint), "not the EntryPoint");
        _settle(mode, bytes32(context[:32]), context[32:], actualGasCost);
    }

    function _digest(UserOperation calldata op, Terms memory terms) internal view virtual returns (bytes32);

    function _accept(UserOperation calldata, Terms memory, uint256) internal virtual returns (bytes memory) {}

    function _settle(uint8, bytes32, bytes calldata, uint256) internal virtual {}

    function _isSigned(bytes32 digest, bytes memory signature) private view returns (bool) {
        require(signature.length == 65, "signature length");
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        bytes32 message = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", digest));
        return ecrecover(message, v, r, s) == verifyingSigner;
    }

    /// The operation and the place, the byte strings hashed.
    function _operationWords(UserOperation calldata op) internal view returns (bytes memory) {
        return bytes.concat(
            abi.encode(op.sender, op.nonce, keccak256(op.initCode), keccak256(op.callData)),
            abi.encode(op.callGasLimit, op.verificationGasLimit, op.preVerificationGas),
            abi.encode(op.maxFeePerGas, op.maxPriorityFeePerGas, block.chainid, address(this))
        );
    }
}
