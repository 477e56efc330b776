// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IEntryPoint, Paymaster06, Terms, UserOperation} from "./Paymaster06.sol";

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Takes tokens in postOp; the balance must be there in validation. A rate is for 10^18 wei.
abstract contract TokenPaymaster06 is Paymaster06 {
    address public constant feeReceiver = address(0xFEE);

    event TokenPaymentDue(address indexed token, address indexed account, uint256 indexed charge);

    /// Gas on top of the EntryPoint's cost.
    function overhead() public pure virtual returns (uint256);

    /// What postOp takes.
    function tokenChargeOf(uint256 actualGasCost, uint256 gasPrice, uint256 exchangeRate, uint32 priceMarkup)
        public
        pure
        returns (uint256)
    {
        return (actualGasCost + overhead() * gasPrice) * exchangeRate / 1e18 * priceMarkup / 1e6;
    }

    function _accept(UserOperation calldata op, Terms memory terms, uint256 maxCost)
        internal
        view
        override
        returns (bytes memory)
    {
        require(op.verificationGasLimit > overhead(), "gas too low for postOp");
        require(terms.priceSource == 0, "price source");
        require(terms.priceMarkup >= 1e6 && terms.priceMarkup <= 2e6, "markup");
        uint256 needed = tokenChargeOf(maxCost, op.maxFeePerGas, terms.exchangeRate, terms.priceMarkup);
        require(IToken(terms.token).balanceOf(op.sender) >= needed, "not enough tokens");
        return abi.encode(op.sender, terms.token, terms.exchangeRate, terms.priceMarkup);
    }

    function _settle(uint8 mode, bytes32 userOpHash, bytes calldata context, uint256 actualGasCost) internal override {
        (address account, address token, uint256 exchangeRate, uint32 priceMarkup) =
            abi.decode(context, (address, address, uint256, uint32));
        uint256 charge = tokenChargeOf(actualGasCost, tx.gasprice, exchangeRate, priceMarkup);
        if (mode == 2) emit TokenPaymentDue(token, account, charge);
        else require(IToken(token).transferFrom(account, feeReceiver, charge), "transfer");
        if (mode != 2) _tell(account, token, charge, userOpHash, exchangeRate, priceMarkup);
    }

    /// The payment's event.
    function _tell(
        address account,
        address token,
        uint256 charge,
        bytes32 userOpHash,
        uint256 exchangeRate,
        uint32 priceMarkup
    ) internal virtual;
}

/// 1.0.0.
contract Token06 is TokenPaymaster06 {
    event TokenPaymasterOperation(
        address indexed sender,
        address indexed token,
        uint256 indexed totalCharge,
        address oracleAggregator,
        uint32 priceMarkup,
        bytes32 userOpHash,
        uint256 exchangeRate,
        uint8 priceSource
    );

    function _tell(
        address account,
        address token,
        uint256 charge,
        bytes32 userOpHash,
        uint256 exchangeRate,
        uint32 priceMarkup
    ) internal override {
        emit TokenPaymasterOperation(account, token, charge, address(0), priceMarkup, userOpHash, exchangeRate, 0);
    }

    constructor(IEntryPoint entryPoint_, address signer) Paymaster06(entryPoint_, signer) {}

    function overhead() public pure override returns (uint256) {
        return 45000;
    }

    function parse(bytes calldata data) public pure override returns (Terms memory terms) {
        terms.priceSource = uint8(data[20]);
        (terms.validUntil, terms.validAfter, terms.token) = abi.decode(data[21:117], (uint48, uint48, address));
        (terms.oracleAggregator, terms.exchangeRate, terms.priceMarkup) =
            abi.decode(data[117:213], (address, uint256, uint32));
        terms.signature = data[213:];
    }

    function getHash(
        UserOperation calldata op,
        uint8 priceSource,
        uint48 validUntil,
        uint48 validAfter,
        address feeToken,
        address oracleAggregator,
        uint256 exchangeRate,
        uint32 priceMarkup
    ) external view returns (bytes32) {
        Terms memory terms;
        (terms.priceSource, terms.validUntil, terms.validAfter) = (priceSource, validUntil, validAfter);
        (terms.token, terms.oracleAggregator) = (feeToken, oracleAggregator);
        (terms.exchangeRate, terms.priceMarkup) = (exchangeRate, priceMarkup);
        return _digest(op, terms);
    }

    function _digest(UserOperation calldata op, Terms memory terms) internal view override returns (bytes32) {
        bytes memory window = abi.encode(terms.priceSource, terms.validUntil, terms.validAfter);
        bytes memory price = abi.encode(terms.token, terms.oracleAggregator, terms.exchangeRate, terms.priceMarkup);
        return keccak256(bytes.concat(_operationWords(op), window, price));
    }
}

/// Packed, without an oracle.
contract Token06Packed is TokenPaymaster06 {
    event TokenPaymasterOperation(
        address indexed sender,
        address indexed token,
        uint256 indexed totalCharge,
        uint32 priceMarkup,
        bytes32 userOpHash,
        uint128 exchangeRate,
        uint8 priceSource
    );

    function _tell(
        address account,
        address token,
        uint256 charge,
        bytes32 userOpHash,
        uint256 exchangeRate,
        uint32 priceMarkup
    ) internal override {
        emit TokenPaymasterOperation(account, token, charge, priceMarkup, userOpHash, uint128(exchangeRate), 0);
    }

    constructor(IEntryPoint entryPoint_, address signer) Paymaster06(entryPoint_, signer) {}

    function overhead() public pure override returns (uint256) {
        return 35000;
    }

    function parse(bytes calldata data) public pure override returns (Terms memory terms) {
        terms.priceSource = uint8(data[20]);
        terms.validUntil = uint48(bytes6(data[21:27]));
        terms.validAfter = uint48(bytes6(data[27:33]));
        terms.token = address(bytes20(data[33:53]));
        terms.exchangeRate = uint128(bytes16(data[53:69]));
        terms.priceMarkup = uint32(bytes4(data[69:73]));
        terms.signature = data[73:];
    }

    function getHash(
        UserOperation calldata op,
        uint8 priceSource,
        uint48 validUntil,
        uint48 validAfter,
        address feeToken,
        uint128 exchangeRate,
        uint32 priceMarkup
    ) external view returns (bytes32) {
        Terms memory terms;
        (terms.priceSource, terms.validUntil, terms.validAfter) = (priceSource, validUntil, validAfter);
        (terms.token, terms.exchangeRate, terms.priceMarkup) = (feeToken, exchangeRate, priceMarkup);
        return _digest(op, terms);
    }

    function _digest(UserOperation calldata op, Terms memory terms) internal view override returns (bytes32) {
        bytes memory window = abi.encode(terms.priceSource, terms.validUntil, terms.validAfter);
        bytes memory price = abi.encode(terms.token, terms.exchangeRate, terms.priceMarkup);
        return keccak256(bytes.concat(_operationWords(op), window, price));
    }
}
