// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// The operation as EntryPoint 0.9 hands it on (ERC-4337).
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

/// What the paymaster asks of its EntryPoint.
interface IDepositKeeper {
    function depositTo(address account) external payable;
    function withdrawTo(address payable receiver, uint256 amount) external;
    function addStake(uint32 unstakeDelaySec) external payable;
    function unlockStake() external;
    function withdrawStake(address payable receiver) external;
    function balanceOf(address account) external view returns (uint256);
}

/// Pays for operations of EntryPoint 0.9 that one of its signers has agreed to: out of its deposit (sponsored), or for
/// tokens of the sender (token mode).
///
/// After the 52 bytes that belong to the EntryPoint, `paymasterAndData` has the terms and the signature:
///
///     kind (1) | validUntil (6) | validAfter (6)
///     token mode: | token (20) | rate (16) | treasury (20) | advance (16) | overhead (4)
///     | signature (65), and where kind says that it trails: | its length (2) | the EntryPoint's mark (8)
///
/// A trailing signature is not in the operation's hash: account and paymaster can sign at the same time. The signer has
/// signed the terms, which say whether the signature trails, so that neither form can be made of the other.
contract TollfreePaymaster {
    uint8 private constant TOKEN_MODE = 1;
    uint8 private constant NAMED_BUNDLERS = 2;
    uint8 private constant TRAILING_SIGNATURE = 4;

    uint256 private constant GAS_LIMITS_AT = 20;
    uint256 private constant TERMS_AT = 52;
    uint256 private constant SPONSORED_TERMS = 13;
    uint256 private constant TOKEN_TERMS = 89;
    uint256 private constant SIGNATURE_BYTES = 65;
    /// The signature's length and the mark, as they follow a trailing signature of 65 bytes.
    bytes10 private constant TRAILER = 0x004122e325a297439656;
    uint256 private constant TRAILER_BYTES = 10;

    /// Order of the curve, halved: above it a signature is the twin of one below.
    uint256 private constant MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;
    /// The bit by which EntryPoint 0.9 takes a time for the number of a block.
    uint48 private constant BLOCK_NUMBER = 0x800000000000;
    /// Wei that a rate is for.
    uint256 private constant WEI_PER_RATE = 1e18;

    bytes32 private constant DIGEST_TYPE = keccak256(
        "TollfreePaymaster(uint256 chainId,address paymaster,address entryPoint,address sender,uint256 nonce,"
        "bytes32 initCodeHash,bytes32 callDataHash,bytes32 accountGasLimits,bytes32 paymasterGasLimits,"
        "uint256 preVerificationGas,bytes32 gasFees,bytes32 termsHash)"
    );

    address public immutable entryPoint;
    address public owner;
    address public pendingOwner;
    /// Whose signatures are taken. Each of them may spend the whole deposit.
    mapping(address signer => bool) public signers;
    /// Whose transactions may carry operations that name bundlers.
    mapping(address bundler => bool) public isBundlerAllowed;

    event SignerAdded(address indexed signer);
    event SignerRemoved(address indexed signer);
    event BundlerAllowed(address indexed bundler, bool allowed);
    event OwnershipOffered(address indexed from, address indexed to);
    event OwnershipTaken(address indexed from, address indexed to);
    /// What the sender has paid for the operation, in base units of the token.
    event TokensPaid(bytes32 indexed userOpHash, address indexed sender, address indexed token, uint256 amount);

    error NotOwner(address caller);
    error NotPendingOwner(address caller);
    error NotEntryPoint(address caller);
    error NoSigner();
    error TermsNotUnderstood();
    error WindowNotUnderstood(uint48 validUntil, uint48 validAfter);
    error BundlerNotAllowed(address bundler);
    error AdvanceTooHigh(uint256 advance, uint256 most);
    error TokenTransferFailed(address token, address from, address to, uint256 amount);

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    modifier onlyEntryPoint() {
        if (msg.sender != entryPoint) revert NotEntryPoint(msg.sender);
        _;
    }

    constructor(address entryPoint_, address owner_, address[] memory signers_) {
        entryPoint = entryPoint_;
        owner = owner_;
        emit OwnershipTaken(address(0), owner_);
        for (uint256 i = 0; i < signers_.length; i++) _addSigner(signers_[i]);
    }

    // Validation and payment

    /// What a token payment needs to know in the end.
    struct Payment {
        bytes32 userOpHash;
        address sender;
        address token;
        address treasury;
        uint256 rate;
        uint256 advance;
        uint256 overhead;
    }

    /// EntryPoint only. Answers a signature that is nobody's as the EntryPoint wants it answered, for estimates; everything
    /// else that is wrong reverts.
    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32 userOpHash, uint256 maxCost)
        external
        onlyEntryPoint
        returns (bytes memory context, uint256 validationData)
    {
        (bytes calldata terms, bytes calldata signature) = _split(op.paymasterAndData);
        uint8 kind = uint8(terms[0]);
        if (kind & NAMED_BUNDLERS != 0 && !isBundlerAllowed[tx.origin]) revert BundlerNotAllowed(tx.origin);
        bool signed = signers[_recover(_digest(op, terms), signature)];
        validationData = _validationData(terms, signed);
        if (kind & TOKEN_MODE != 0) {
            Payment memory payment = _readPayment(terms);
            payment.userOpHash = userOpHash;
            payment.sender = op.sender;
            uint256 most = maxCost * payment.rate / WEI_PER_RATE;
            if (payment.advance > most) revert AdvanceTooHigh(payment.advance, most);
            // Nothing of what nobody has signed is called.
            if (signed && payment.advance > 0) _move(payment, payment.sender, payment.treasury, payment.advance);
            context = abi.encode(payment);
        }
    }

    /// EntryPoint only: takes what the operation cost, beyond what was taken in advance; what is left of that comes back
    /// out of the treasury. A payment that fails undoes the operation's calls.
    function postOp(uint8, bytes calldata context, uint256 actualGasCost, uint256 actualUserOpFeePerGas)
        external
        onlyEntryPoint
    {
        Payment memory payment = abi.decode(context, (Payment));
        uint256 amount = (actualGasCost + payment.overhead * actualUserOpFeePerGas) * payment.rate / WEI_PER_RATE;
        uint256 advance = payment.advance;
        if (amount > advance) _move(payment, payment.sender, payment.treasury, amount - advance);
        else if (amount < advance) _move(payment, payment.treasury, payment.sender, advance - amount);
        emit TokensPaid(payment.userOpHash, payment.sender, payment.token, amount);
    }

    /// What a signer signs, as a message (EIP-191), for the operation with its terms. Its signature is not looked at.
    function getHash(PackedUserOperation calldata op) external view returns (bytes32) {
        (bytes calldata terms,) = _split(op.paymasterAndData);
        return _digest(op, terms);
    }

    /// The terms and the signature. The length says where everything is, and has to be exactly that of the kind.
    function _split(bytes calldata data) private pure returns (bytes calldata terms, bytes calldata signature) {
        if (data.length <= TERMS_AT) revert TermsNotUnderstood();
        uint8 kind = uint8(data[TERMS_AT]);
        if (kind > TOKEN_MODE + NAMED_BUNDLERS + TRAILING_SIGNATURE) revert TermsNotUnderstood();
        uint256 termsEnd = TERMS_AT + (kind & TOKEN_MODE != 0 ? TOKEN_TERMS : SPONSORED_TERMS);
        uint256 signatureEnd = termsEnd + SIGNATURE_BYTES;
        if (kind & TRAILING_SIGNATURE != 0) {
            if (data.length != signatureEnd + TRAILER_BYTES) revert TermsNotUnderstood();
            if (bytes10(data[signatureEnd:]) != TRAILER) revert TermsNotUnderstood();
        } else if (data.length != signatureEnd) {
            revert TermsNotUnderstood();
        }
        terms = data[TERMS_AT:termsEnd];
        signature = data[termsEnd:signatureEnd];
    }

    function _readPayment(bytes calldata terms) private pure returns (Payment memory payment) {
        payment.token = address(bytes20(terms[13:33]));
        payment.rate = uint128(bytes16(terms[33:49]));
        payment.treasury = address(bytes20(terms[49:69]));
        payment.advance = uint128(bytes16(terms[69:85]));
        payment.overhead = uint32(bytes4(terms[85:89]));
    }

    /// Nothing is good for ever, and times and block numbers do not mix: the EntryPoint would take a block number that
    /// stands beside a time for a time that never comes.
    function _validationData(bytes calldata terms, bool signed) private pure returns (uint256) {
        uint48 validUntil = uint48(bytes6(terms[1:7]));
        uint48 validAfter = uint48(bytes6(terms[7:13]));
        bool isNumber = validUntil > BLOCK_NUMBER && validAfter > BLOCK_NUMBER;
        bool isTime = validUntil < BLOCK_NUMBER && validAfter < BLOCK_NUMBER && validUntil > 0;
        if (!isNumber && !isTime) revert WindowNotUnderstood(validUntil, validAfter);
        return uint256(validAfter) << 208 | uint256(validUntil) << 160 | (signed ? 0 : 1);
    }

    function _digest(PackedUserOperation calldata op, bytes calldata terms) private view returns (bytes32) {
        bytes32[13] memory words;
        words[0] = DIGEST_TYPE;
        words[1] = bytes32(block.chainid);
        words[2] = _word(address(this));
        words[3] = _word(entryPoint);
        words[4] = _word(op.sender);
        words[5] = bytes32(op.nonce);
        words[6] = _initCodeHash(op);
        words[7] = keccak256(op.callData);
        words[8] = op.accountGasLimits;
        words[9] = bytes32(op.paymasterAndData[GAS_LIMITS_AT:TERMS_AT]);
        words[10] = bytes32(op.preVerificationGas);
        words[11] = op.gasFees;
        words[12] = keccak256(terms);
        return keccak256(abi.encode(words));
    }

    /// Behind the marker of EIP-7702 stands the contract that the sender delegates to, as in the operation's own hash: the
    /// sender cannot delegate to another one after the signature.
    function _initCodeHash(PackedUserOperation calldata op) private view returns (bytes32) {
        bytes calldata initCode = op.initCode;
        // What is missing of 20 bytes counts as zeros.
        if (bytes20(initCode) != bytes20(bytes2(0x7702))) return keccak256(initCode);
        bytes32 code;
        address sender = op.sender;
        assembly ("memory-safe") {
            mstore(0, 0)
            extcodecopy(sender, 0, 0, 23)
            code := mload(0)
        }
        address delegate = address(bytes20(code << 24));
        return keccak256(abi.encodePacked(delegate, initCode.length > 20 ? initCode[20:] : initCode[0:0]));
    }

    /// Who signed the digest as a message; nobody for a signature that has a twin or is none.
    function _recover(bytes32 digest, bytes calldata signature) private pure returns (address signer) {
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > MAX_S) return address(0);
        bytes32 message = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", digest));
        return ecrecover(message, uint8(signature[64]), r, s);
    }

    function _word(address value) private pure returns (bytes32) {
        return bytes32(uint256(uint160(value)));
    }

    /// Moves tokens that somebody has approved for this contract. Takes tokens that answer nothing and none that answer false.
    function _move(Payment memory payment, address from, address to, uint256 amount) private {
        address token = payment.token;
        (bool success, bytes memory answer) =
            token.call(abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, amount));
        bool moved = answer.length == 0 ? token.code.length > 0 : answer.length >= 32 && abi.decode(answer, (uint256)) == 1;
        if (!success || !moved) revert TokenTransferFailed(token, from, to, amount);
    }

    // The owner's affairs

    function addSigner(address signer) external onlyOwner {
        _addSigner(signer);
    }

    /// What the signer has signed is worth nothing from now on.
    function removeSigner(address signer) external onlyOwner {
        signers[signer] = false;
        emit SignerRemoved(signer);
    }

    function updateBundlerAllowlist(address[] calldata bundlers, bool allowed) external onlyOwner {
        for (uint256 i = 0; i < bundlers.length; i++) {
            isBundlerAllowed[bundlers[i]] = allowed;
            emit BundlerAllowed(bundlers[i], allowed);
        }
    }

    /// The new owner has to take it, so that it cannot be lost to an address that nobody has.
    function transferOwnership(address to) external onlyOwner {
        pendingOwner = to;
        emit OwnershipOffered(msg.sender, to);
    }

    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert NotPendingOwner(msg.sender);
        emit OwnershipTaken(owner, msg.sender);
        owner = msg.sender;
        pendingOwner = address(0);
    }

    /// Nobody's signatures recover to the zero address, and everything that is no signature does.
    function _addSigner(address signer) private {
        if (signer == address(0)) revert NoSigner();
        signers[signer] = true;
        emit SignerAdded(signer);
    }

    // The deposit and the stake at the EntryPoint

    function deposit() external payable {
        IDepositKeeper(entryPoint).depositTo{value: msg.value}(address(this));
    }

    function getDeposit() external view returns (uint256) {
        return IDepositKeeper(entryPoint).balanceOf(address(this));
    }

    function withdrawTo(address payable receiver, uint256 amount) external onlyOwner {
        IDepositKeeper(entryPoint).withdrawTo(receiver, amount);
    }

    function addStake(uint32 unstakeDelaySec) external payable onlyOwner {
        IDepositKeeper(entryPoint).addStake{value: msg.value}(unstakeDelaySec);
    }

    function unlockStake() external onlyOwner {
        IDepositKeeper(entryPoint).unlockStake();
    }

    function withdrawStake(address payable receiver) external onlyOwner {
        IDepositKeeper(entryPoint).withdrawStake(receiver);
    }
}
