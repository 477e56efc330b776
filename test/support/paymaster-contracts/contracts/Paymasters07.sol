// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

// Test paymasters for EntryPoint 0.7. Each restates digest, data layout and charge of a published contract of Biconomy's,
// and nothing else of it: they have no owner and cannot be changed.

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

/// What paymasterAndData says after the gas limits; what a kind of paymaster does not have stays zero.
struct Terms {
    address paymasterId;
    uint48 validUntil;
    uint48 validAfter;
    address token;
    uint128 tokenPrice;
    uint32 priceMarkup;
    bytes signature;
}

interface IEntryPoint {
    function depositTo(address account) external payable;
    function withdrawTo(address payable withdrawAddress, uint256 withdrawAmount) external;
}

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

abstract contract Paymaster07 {
    IEntryPoint public immutable entryPoint;
    address public immutable verifyingSigner;
    uint256 public immutable unaccountedGas;

    constructor(IEntryPoint entryPoint_, address signer, uint256 unaccountedGas_) {
        entryPoint = entryPoint_;
        verifyingSigner = signer;
        unaccountedGas = unaccountedGas_;
    }

    /// Reads paymasterAndData.
    function parse(bytes calldata data) public pure virtual returns (Terms memory);

    /// What the signer signs.
    function digestOf(PackedUserOperation calldata op) external view returns (bytes32) {
        return _digest(op, parse(op.paymasterAndData));
    }

    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32 userOpHash, uint256 maxCost)
        external
        returns (bytes memory context, uint256 validationData)
    {
        require(msg.sender == address(entryPoint), "not the EntryPoint");
        Terms memory terms = parse(op.paymasterAndData);
        require(_postOpGasLimit(op) >= unaccountedGas, "postOp gas limit");
        bool signed = _isSigned(_digest(op, terms), terms.signature);
        validationData = (signed ? 0 : 1) | (uint256(terms.validUntil) << 160) | (uint256(terms.validAfter) << 208);
        // A signature that is not known ends validation without a context, and so without postOp.
        if (!signed) return (context, validationData);
        require(terms.priceMarkup >= 1e6 && terms.priceMarkup <= 2e6, "markup");
        context = bytes.concat(userOpHash, _accept(op, terms, maxCost));
    }

    function postOp(uint8, bytes calldata context, uint256 actualGasCost, uint256 gasPrice) external {
        require(msg.sender == address(entryPoint), "not the EntryPoint");
        _settle(bytes32(context[:32]), context[32:], actualGasCost + unaccountedGas * gasPrice);
    }

    function _digest(PackedUserOperation calldata op, Terms memory terms) internal view virtual returns (bytes32);

    function _accept(PackedUserOperation calldata, Terms memory, uint256) internal virtual returns (bytes memory);

    function _settle(bytes32 userOpHash, bytes calldata context, uint256 cost) internal virtual;

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
    function _operationWords(PackedUserOperation calldata op) internal view returns (bytes memory) {
        uint256 paymasterGas = uint256(bytes32(op.paymasterAndData[20:52]));
        return bytes.concat(
            abi.encode(op.sender, op.nonce, keccak256(op.initCode), keccak256(op.callData)),
            abi.encode(op.accountGasLimits, paymasterGas, op.preVerificationGas, op.gasFees),
            abi.encode(block.chainid, address(this))
        );
    }

    function _maxFeePerGas(PackedUserOperation calldata op) internal pure returns (uint256) {
        return uint128(uint256(op.gasFees));
    }

    function _postOpGasLimit(PackedUserOperation calldata op) internal pure returns (uint256) {
        return uint128(bytes16(op.paymasterAndData[36:52]));
    }
}

/// A balance for each customer, charged in advance.
contract Sponsorship07 is Paymaster07 {
    mapping(address => uint256) private balances;

    event GasDeposited(address indexed _paymasterId, uint256 indexed _value);
    event GasWithdrawn(address indexed _paymasterId, address indexed _to, uint256 indexed _value);
    event GasBalanceDeducted(address indexed _paymasterId, uint256 indexed _charge, uint256 indexed _premium);

    constructor(IEntryPoint entryPoint_, address signer, uint256 unaccountedGas_)
        Paymaster07(entryPoint_, signer, unaccountedGas_)
    {}

    function depositFor(address paymasterId) external payable {
        balances[paymasterId] += msg.value;
        entryPoint.depositTo{value: msg.value}(address(this));
        emit GasDeposited(paymasterId, msg.value);
    }

    /// The published one has a delay before it; what counts here is what it changes.
    /// The owner's alone in the real one.
    function refundBalances(address[] calldata paymasterIds, uint256[] calldata amounts) external payable {
        for (uint256 i = 0; i < paymasterIds.length; i++) balances[paymasterIds[i]] += amounts[i];
    }

    function executeWithdrawalRequest(address payable withdrawAddress, uint256 amount) external {
        balances[msg.sender] -= amount;
        entryPoint.withdrawTo(withdrawAddress, amount);
        emit GasWithdrawn(msg.sender, withdrawAddress, amount);
    }

    function getBalance(address paymasterId) external view returns (uint256) {
        return balances[paymasterId];
    }

    function parse(bytes calldata data) public pure override returns (Terms memory terms) {
        terms.paymasterId = address(bytes20(data[52:72]));
        terms.validUntil = uint48(bytes6(data[72:78]));
        terms.validAfter = uint48(bytes6(data[78:84]));
        terms.priceMarkup = uint32(bytes4(data[84:88]));
        terms.signature = data[88:];
    }

    function getHash(
        PackedUserOperation calldata op,
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

    /// What validation takes from the balance: the cost with the markup, and the penalty on unused gas.
    function preChargeOf(PackedUserOperation calldata op, uint256 maxCost)
        public
        view
        returns (uint256 effectiveCost, uint256 maxPenalty)
    {
        uint256 fee = _maxFeePerGas(op);
        effectiveCost = (maxCost + unaccountedGas * fee) * parse(op.paymasterAndData).priceMarkup / 1e6;
        maxPenalty = (uint128(uint256(op.accountGasLimits)) + _postOpGasLimit(op)) * 10 * fee / 100;
    }

    function _digest(PackedUserOperation calldata op, Terms memory terms) internal view override returns (bytes32) {
        bytes memory own = abi.encode(terms.paymasterId, terms.validUntil, terms.validAfter, terms.priceMarkup);
        return keccak256(bytes.concat(_operationWords(op), own));
    }

    function _accept(PackedUserOperation calldata op, Terms memory terms, uint256 maxCost)
        internal
        override
        returns (bytes memory)
    {
        (uint256 effectiveCost, uint256 maxPenalty) = preChargeOf(op, maxCost);
        require(effectiveCost + maxPenalty <= balances[terms.paymasterId], "insufficient funds");
        balances[terms.paymasterId] -= effectiveCost + maxPenalty;
        return abi.encode(terms.paymasterId, terms.priceMarkup, effectiveCost);
    }

    function _settle(bytes32, bytes calldata context, uint256 cost) internal override {
        (address paymasterId, uint32 priceMarkup, uint256 preCharge) = abi.decode(context, (address, uint32, uint256));
        uint256 charge = cost * priceMarkup / 1e6;
        if (preCharge > charge) balances[paymasterId] += preCharge - charge;
        emit GasBalanceDeducted(paymasterId, charge, charge - cost);
    }
}

/// Takes tokens in validation and gives back in postOp. A price is for 10^18 wei.
contract Token07 is Paymaster07 {
    event PaidGasInTokens(
        address indexed userOpSender,
        address indexed token,
        uint256 nativeCharge,
        uint256 tokenCharge,
        uint256 priceMarkup,
        bytes32 indexed userOpHash
    );

    constructor(IEntryPoint entryPoint_, address signer, uint256 unaccountedGas_)
        Paymaster07(entryPoint_, signer, unaccountedGas_)
    {}

    function parse(bytes calldata data) public pure override returns (Terms memory terms) {
        require(uint8(data[52]) == 0, "mode");
        terms.validUntil = uint48(bytes6(data[53:59]));
        terms.validAfter = uint48(bytes6(data[59:65]));
        terms.token = address(bytes20(data[65:85]));
        terms.tokenPrice = uint128(bytes16(data[85:101]));
        terms.priceMarkup = uint32(bytes4(data[101:105]));
        terms.signature = data[105:];
    }

    function getHash(
        PackedUserOperation calldata op,
        uint48 validUntil,
        uint48 validAfter,
        address tokenAddress,
        uint128 tokenPrice,
        uint32 externalPriceMarkup
    ) external view returns (bytes32) {
        Terms memory terms;
        (terms.validUntil, terms.validAfter, terms.token) = (validUntil, validAfter, tokenAddress);
        (terms.tokenPrice, terms.priceMarkup) = (tokenPrice, externalPriceMarkup);
        return _digest(op, terms);
    }

    /// What validation pulls.
    function preChargeOf(PackedUserOperation calldata op, uint256 maxCost) public view returns (uint256) {
        Terms memory terms = parse(op.paymasterAndData);
        return _tokens(maxCost + unaccountedGas * _maxFeePerGas(op), terms.priceMarkup, terms.tokenPrice);
    }

    function _tokens(uint256 cost, uint256 priceMarkup, uint256 tokenPrice) private pure returns (uint256) {
        return cost * priceMarkup * tokenPrice / (1e18 * 1e6);
    }

    function _digest(PackedUserOperation calldata op, Terms memory terms) internal view override returns (bytes32) {
        bytes memory window = abi.encode(terms.validUntil, terms.validAfter);
        bytes memory price = abi.encode(terms.token, terms.tokenPrice, terms.priceMarkup);
        return keccak256(bytes.concat(_operationWords(op), window, price));
    }

    function _accept(PackedUserOperation calldata op, Terms memory terms, uint256 maxCost)
        internal
        override
        returns (bytes memory)
    {
        uint256 preCharge = preChargeOf(op, maxCost);
        require(IToken(terms.token).transferFrom(op.sender, address(this), preCharge), "transfer");
        return abi.encode(op.sender, terms.token, preCharge, terms.tokenPrice, terms.priceMarkup);
    }

    function _settle(bytes32 userOpHash, bytes calldata context, uint256 cost) internal override {
        (address account, address token, uint256 preCharge, uint128 tokenPrice, uint32 priceMarkup) =
            abi.decode(context, (address, address, uint256, uint128, uint32));
        uint256 charge = _tokens(cost, priceMarkup, tokenPrice);
        if (preCharge > charge) require(IToken(token).transfer(account, preCharge - charge), "transfer");
        emit PaidGasInTokens(account, token, cost, charge, priceMarkup, userOpHash);
    }
}
