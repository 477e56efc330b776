// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IEntryPoint, Paymaster06, Terms, UserOperation} from "./Paymaster06.sol";

/// 1.0.0: no window, no balances.
contract Sponsorship100 is Paymaster06 {
    constructor(IEntryPoint entryPoint_, address signer) Paymaster06(entryPoint_, signer) {}

    function parse(bytes calldata data) public pure override returns (Terms memory terms) {
        (terms.paymasterId, terms.signature) = abi.decode(data[20:], (address, bytes));
    }

    function getHash(UserOperation calldata op, address paymasterId) external view returns (bytes32) {
        Terms memory terms;
        terms.paymasterId = paymasterId;
        return _digest(op, terms);
    }

    function _digest(UserOperation calldata op, Terms memory terms) internal view override returns (bytes32) {
        return keccak256(bytes.concat(_operationWords(op), abi.encode(terms.paymasterId)));
    }
}

/// With a balance for each customer.
abstract contract WithBalances06 is Paymaster06 {
    mapping(address => uint256) private balances;

    event GasDeposited(address indexed _paymasterId, uint256 indexed _value);
    event GasWithdrawn(address indexed _paymasterId, address indexed _to, uint256 indexed _value);

    function depositFor(address paymasterId) external payable {
        balances[paymasterId] += msg.value;
        entryPoint.depositTo{value: msg.value}(address(this));
        emit GasDeposited(paymasterId, msg.value);
    }

    function withdrawTo(address payable withdrawAddress, uint256 amount) external {
        balances[msg.sender] -= amount;
        entryPoint.withdrawTo(withdrawAddress, amount);
        emit GasWithdrawn(msg.sender, withdrawAddress, amount);
    }

    function getBalance(address paymasterId) external view returns (uint256) {
        return balances[paymasterId];
    }

    /// What postOp takes from the balance.
    function chargeOf(uint256 actualGasCost, uint256 gasPrice, uint32 priceMarkup)
        public
        pure
        virtual
        returns (uint256);

    /// What validation wants to see in the balance.
    function _needed(uint256 maxCost, uint32 priceMarkup) internal pure virtual returns (uint256);

    function _accept(UserOperation calldata op, Terms memory terms, uint256 maxCost)
        internal
        view
        override
        returns (bytes memory)
    {
        require(_needed(maxCost, terms.priceMarkup) <= balances[terms.paymasterId], "insufficient balance");
        return abi.encode(terms.paymasterId, terms.priceMarkup, op.maxFeePerGas, op.maxPriorityFeePerGas);
    }

    function _settle(uint8, bytes32 userOpHash, bytes calldata context, uint256 actualGasCost) internal override {
        (address paymasterId, uint32 priceMarkup, uint256 maxFee, uint256 priorityFee) =
            abi.decode(context, (address, uint32, uint256, uint256));
        uint256 gasPrice = maxFee;
        if (maxFee != priorityFee && priorityFee + block.basefee < maxFee) gasPrice = priorityFee + block.basefee;
        uint256 charge = chargeOf(actualGasCost, gasPrice, priceMarkup);
        balances[paymasterId] -= charge;
        _tell(paymasterId, charge, userOpHash);
    }

    /// The charge's event.
    function _tell(address paymasterId, uint256 charge, bytes32 userOpHash) internal virtual;
}

/// 1.1.0: a window, balances, 12,000 gas on top.
contract Sponsorship110 is WithBalances06 {
    event GasBalanceDeducted(address indexed _paymasterId, uint256 indexed _charge);

    constructor(IEntryPoint entryPoint_, address signer) Paymaster06(entryPoint_, signer) {}

    function parse(bytes calldata data) public pure override returns (Terms memory terms) {
        (terms.paymasterId, terms.validUntil, terms.validAfter, terms.signature) =
            abi.decode(data[20:], (address, uint48, uint48, bytes));
    }

    function getHash(UserOperation calldata op, address paymasterId, uint48 validUntil, uint48 validAfter)
        external
        view
        returns (bytes32)
    {
        Terms memory terms;
        (terms.paymasterId, terms.validUntil, terms.validAfter) = (paymasterId, validUntil, validAfter);
        return _digest(op, terms);
    }

    function chargeOf(uint256 actualGasCost, uint256 gasPrice, uint32) public pure override returns (uint256) {
        return actualGasCost + 12000 * gasPrice;
    }

    function _needed(uint256 maxCost, uint32) internal pure override returns (uint256) {
        return maxCost;
    }

    function _tell(address paymasterId, uint256 charge, bytes32) internal override {
        emit GasBalanceDeducted(paymasterId, charge);
    }

    function _digest(UserOperation calldata op, Terms memory terms) internal view override returns (bytes32) {
        bytes memory own = abi.encode(terms.paymasterId, terms.validUntil, terms.validAfter);
        return keccak256(bytes.concat(_operationWords(op), own));
    }
}

/// Packed: a window, balances, a markup, 18,500 gas on top; the byte strings are signed as they are.
contract SponsorshipPacked is WithBalances06 {
    event GasBalanceDeducted(address indexed _paymasterId, uint256 indexed _charge, bytes32 indexed userOpHash);

    struct Signed {
        address sender;
        uint256 nonce;
        bytes initCode;
        bytes callData;
        uint256 callGasLimit;
        uint256 verificationGasLimit;
        uint256 preVerificationGas;
        uint256 maxFeePerGas;
        uint256 maxPriorityFeePerGas;
        uint256 chainId;
        address paymaster;
        address paymasterId;
        uint48 validUntil;
        uint48 validAfter;
        uint32 priceMarkup;
    }

    constructor(IEntryPoint entryPoint_, address signer) Paymaster06(entryPoint_, signer) {}

    function parse(bytes calldata data) public pure override returns (Terms memory terms) {
        terms.paymasterId = address(bytes20(data[20:40]));
        terms.validUntil = uint48(bytes6(data[40:46]));
        terms.validAfter = uint48(bytes6(data[46:52]));
        terms.priceMarkup = uint32(bytes4(data[52:56]));
        terms.signature = data[56:];
    }

    function getHash(
        UserOperation calldata op,
        address paymasterId,
        uint48 validUntil,
        uint48 validAfter,
        uint32 priceMarkup
    ) external view returns (bytes32) {
        Terms memory terms;
        (terms.paymasterId, terms.validUntil, terms.validAfter) = (paymasterId, validUntil, validAfter);
        terms.priceMarkup = priceMarkup;
        return _digest(op, terms);
    }

    function chargeOf(uint256 actualGasCost, uint256 gasPrice, uint32 priceMarkup)
        public
        pure
        override
        returns (uint256)
    {
        return (actualGasCost + 18500 * gasPrice) * priceMarkup / 1e6;
    }

    function _needed(uint256 maxCost, uint32 priceMarkup) internal pure override returns (uint256) {
        require(priceMarkup > 0 && priceMarkup <= 2e6, "markup");
        return maxCost * priceMarkup / 1e6;
    }

    function _tell(address paymasterId, uint256 charge, bytes32 userOpHash) internal override {
        emit GasBalanceDeducted(paymasterId, charge, userOpHash);
    }

    function _digest(UserOperation calldata op, Terms memory terms) internal view override returns (bytes32 digest) {
        Signed memory signed;
        (signed.sender, signed.nonce, signed.initCode, signed.callData) = (op.sender, op.nonce, op.initCode, op.callData);
        (signed.callGasLimit, signed.verificationGasLimit) = (op.callGasLimit, op.verificationGasLimit);
        signed.preVerificationGas = op.preVerificationGas;
        (signed.maxFeePerGas, signed.maxPriorityFeePerGas) = (op.maxFeePerGas, op.maxPriorityFeePerGas);
        (signed.chainId, signed.paymaster) = (block.chainid, address(this));
        (signed.paymasterId, signed.priceMarkup) = (terms.paymasterId, terms.priceMarkup);
        (signed.validUntil, signed.validAfter) = (terms.validUntil, terms.validAfter);
        bytes memory encoded = abi.encode(signed);
        // A struct is encoded as a tuple with its place, one word, before it.
        assembly {
            digest := keccak256(add(encoded, 64), sub(mload(encoded), 32))
        }
    }
}
