// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// The operation as EntryPoint 0.8 and 0.9 hand it on (ERC-4337).
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

/// Pays for operations of EntryPoint 0.8 or 0.9 that one of its signers has agreed to: out of its deposit (sponsored), or for
/// tokens of the sender (token mode).
///
/// After the 52 bytes that belong to the EntryPoint, `paymasterAndData` has the terms and the signature:
///
///     kind (1) | validUntil (6) | validAfter (6)
///     token mode: | token (20) | rate (16) | treasury (20) | advance (16) | overhead (4)
///     with a permit: | value (32) | deadline (32) | length (2) | the sender's signature of the permit (length)
///     | signature (65), and where kind says that it trails: | its length (2) | the EntryPoint's mark (8)
///
/// EntryPoint 0.9 leaves a trailing signature out of the operation's hash: account and paymaster can sign at the same time.
/// The signer has signed the terms, which say whether the signature trails, so that neither form can be made of the other.
contract TollfreePaymaster {
    uint256 private constant TOKEN_MODE = 1;
    uint256 private constant NAMED_BUNDLERS = 2;
    uint256 private constant TRAILING_SIGNATURE = 4;
    /// Only with `TOKEN_MODE`.
    uint256 private constant PERMIT = 8;

    /// Where the operation's head says where its fields of any length are.
    uint256 private constant INIT_CODE = 0x40;
    uint256 private constant CALL_DATA = 0x60;
    uint256 private constant PAYMASTER_AND_DATA = 0xe0;

    uint256 private constant GAS_LIMITS_AT = 20;
    uint256 private constant TERMS_AT = 52;
    uint256 private constant SPONSORED_TERMS = 13;
    uint256 private constant TOKEN_TERMS = 89;
    uint256 private constant PERMIT_AT = 141;
    uint256 private constant PERMIT_SIGNATURE_AT = 207;
    uint256 private constant SIGNATURE_BYTES = 65;
    /// `permit(address,address,uint256,uint256,uint8,bytes32,bytes32)` and `permit(address,address,uint256,uint256,bytes)`.
    uint256 private constant PERMIT_BY_KEY = 0xd505accf;
    uint256 private constant PERMIT_BY_BYTES = 0x9fd5a6cf;
    /// The signature's length and the mark, as they follow a trailing signature of 65 bytes.
    bytes10 private constant TRAILER = 0x004122e325a297439656;
    uint256 private constant TRAILER_BYTES = 10;

    /// Order of the curve, halved: above it a signature is the twin of one below.
    uint256 private constant MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;
    /// The bit by which EntryPoint 0.9 takes a time for the number of a block. 0.8 takes both for times that never come.
    uint256 private constant BLOCK_NUMBER = 0x800000000000;
    /// Wei that a rate is for.
    uint256 private constant WEI_PER_RATE = 1e18;

    /// What a digest starts with. The words that follow are those of `_digest`.
    bytes32 private constant DIGEST_TYPE = keccak256(
        "TollfreePaymaster2(uint256 chainId,address paymaster,address entryPoint,address sender,uint256 nonce,"
        "bytes32 initCodeHash,bytes32 callDataHash,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,"
        "bytes32 delegation,bytes32 paymasterGasLimits,bytes terms)"
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

    /// EntryPoint only. Answers a signature of no signer as the EntryPoint wants it answered, for estimates; everything else
    /// that is wrong reverts. Without a context, as in sponsored mode, the EntryPoint calls no `postOp`.
    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32 userOpHash, uint256 maxCost)
        external
        onlyEntryPoint
        returns (bytes memory context, uint256 validationData)
    {
        bytes calldata data = _bytesOf(op, PAYMASTER_AND_DATA);
        (uint256 kind, uint256 termsEnd) = _readKind(data);
        if (kind & NAMED_BUNDLERS != 0 && !isBundlerAllowed[tx.origin]) revert BundlerNotAllowed(tx.origin);
        bool signed = signers[_recover(_digest(op, data, termsEnd), data, termsEnd)];
        validationData = _window(data) | (signed ? 0 : 1);
        if (kind & TOKEN_MODE == 0) {
            // The same answer as by `return`, which copies an empty context at twice the gas.
            assembly ("memory-safe") {
                let answer := mload(0x40)
                mstore(answer, 0x40)
                mstore(add(answer, 0x20), validationData)
                mstore(add(answer, 0x40), 0)
                return(answer, 0x60)
            }
        }
        Payment memory payment = _readPayment(data);
        payment.userOpHash = userOpHash;
        payment.sender = op.sender;
        uint256 most = maxCost * payment.rate / WEI_PER_RATE;
        if (payment.advance > most) revert AdvanceTooHigh(payment.advance, most);
        // Without a signature too: estimates need the allowance in postOp, and the EntryPoint undoes it.
        if (kind & PERMIT != 0) _permit(payment.token, payment.sender, data, termsEnd);
        // Without a signature no tokens are moved.
        if (signed && payment.advance > 0) _move(payment.token, payment.sender, payment.treasury, payment.advance);
        context = abi.encode(payment);
    }

    /// EntryPoint only: takes what the operation cost, beyond what was taken in advance; what is left of that comes back
    /// out of the treasury. A payment that fails undoes the operation's calls.
    ///
    /// The amount is rounded up, as the signed maximum is. So a transfer is made also at the gas price of 1 wei at which
    /// bundlers estimate, and the estimate contains it.
    function postOp(uint8, bytes calldata context, uint256 actualGasCost, uint256 actualUserOpFeePerGas)
        external
        onlyEntryPoint
    {
        Payment memory payment = abi.decode(context, (Payment));
        uint256 cost = (actualGasCost + payment.overhead * actualUserOpFeePerGas) * payment.rate;
        uint256 amount = (cost + WEI_PER_RATE - 1) / WEI_PER_RATE;
        uint256 advance = payment.advance;
        if (amount > advance) _move(payment.token, payment.sender, payment.treasury, amount - advance);
        else if (amount < advance) _move(payment.token, payment.treasury, payment.sender, advance - amount);
        emit TokensPaid(payment.userOpHash, payment.sender, payment.token, amount);
    }

    /// What a signer signs, as a message (EIP-191), for the operation with its terms. The signature in it is not checked.
    function getHash(PackedUserOperation calldata op) external view returns (bytes32) {
        bytes calldata data = _bytesOf(op, PAYMASTER_AND_DATA);
        (, uint256 termsEnd) = _readKind(data);
        return _digest(op, data, termsEnd);
    }

    /// The kind, and where the terms end and the signature starts. The length has to be exactly that of the kind, so that all
    /// that is read of the data later on is in there. A permit's length that is not in there makes it longer than the data.
    function _readKind(bytes calldata data) private pure returns (uint256 kind, uint256 termsEnd) {
        unchecked {
            kind = _word(data, TERMS_AT) >> 248;
            uint256 highestKind = NAMED_BUNDLERS | TRAILING_SIGNATURE;
            termsEnd = TERMS_AT + SPONSORED_TERMS;
            if (kind & TOKEN_MODE != 0) {
                highestKind = TOKEN_MODE | NAMED_BUNDLERS | TRAILING_SIGNATURE | PERMIT;
                termsEnd = TERMS_AT + TOKEN_TERMS;
                if (kind & PERMIT != 0) termsEnd = PERMIT_SIGNATURE_AT + (_word(data, PERMIT_SIGNATURE_AT - 2) >> 240);
            }
            uint256 end = termsEnd + SIGNATURE_BYTES;
            bool trails = kind & TRAILING_SIGNATURE != 0;
            if (kind > highestKind || data.length != (trails ? end + TRAILER_BYTES : end)) revert TermsNotUnderstood();
            if (trails && bytes10(bytes32(_word(data, end))) != TRAILER) revert TermsNotUnderstood();
        }
    }

    function _readPayment(bytes calldata data) private pure returns (Payment memory payment) {
        payment.token = address(uint160(_word(data, 65) >> 96));
        payment.rate = _word(data, 85) >> 128;
        payment.treasury = address(uint160(_word(data, 101) >> 96));
        payment.advance = _word(data, 121) >> 128;
        payment.overhead = _word(data, 137) >> 224;
    }

    /// The validation data for a signature that is taken: `validAfter | validUntil`, 48 bits each, and 160 of zeros. Nothing is
    /// good for ever, and times and block numbers do not mix: the EntryPoint would take a block number next to a time for a
    /// time that never comes.
    function _window(bytes calldata data) private pure returns (uint256) {
        uint256 validUntil = _word(data, 53) >> 208;
        uint256 validAfter = _word(data, 59) >> 208;
        bool isTime = (validUntil | validAfter) < BLOCK_NUMBER && validUntil > 0;
        if (!isTime && (validUntil <= BLOCK_NUMBER || validAfter <= BLOCK_NUMBER)) {
            revert WindowNotUnderstood(uint48(validUntil), uint48(validAfter));
        }
        return validAfter << 208 | validUntil << 160;
    }

    /// The 32 bytes at a place in the data, without a check that they are in there.
    function _word(bytes calldata data, uint256 at) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := calldataload(add(data.offset, at))
        }
    }

    /// The hash of thirteen words and the terms. The terms come last, and their first byte says how long they are.
    /// What is behind `op` and `data` is read as it stands there: the operation's words are nonces, hashes and numbers.
    function _digest(PackedUserOperation calldata op, bytes calldata data, uint256 termsEnd)
        private
        view
        returns (bytes32 digest)
    {
        bytes calldata initCode = _bytesOf(op, INIT_CODE);
        bytes32 initCodeHash = _hash(initCode);
        bytes32 callDataHash = _hash(_bytesOf(op, CALL_DATA));
        bytes32 delegation = _delegation(op.sender, initCode);
        bytes32 digestType = DIGEST_TYPE;
        address keeper = entryPoint;
        assembly ("memory-safe") {
            let words := mload(0x40)
            mstore(words, digestType)
            mstore(add(words, 0x20), chainid())
            mstore(add(words, 0x40), address())
            mstore(add(words, 0x60), keeper)
            // Sender, nonce, where initCode and callData start, accountGasLimits, preVerificationGas and gasFees.
            calldatacopy(add(words, 0x80), op, 0xe0)
            mstore(add(words, 0xc0), initCodeHash)
            mstore(add(words, 0xe0), callDataHash)
            mstore(add(words, 0x160), delegation)
            // The paymaster's two gas limits and, right behind them, the terms.
            let length := sub(termsEnd, GAS_LIMITS_AT)
            calldatacopy(add(words, 0x180), add(data.offset, GAS_LIMITS_AT), length)
            digest := keccak256(words, add(0x180, length))
        }
    }

    /// The code of a sender with the marker of EIP-7702: `0xef0100` and the contract that it delegates to, so that it cannot
    /// delegate to another one after the signature. Nothing for other operations, whose `initCode` says so in the digest.
    function _delegation(address sender, bytes calldata initCode) private view returns (bytes32 code) {
        // What is missing of 20 bytes counts as zeros, as in the EntryPoint.
        if (initCode.length == 0 || bytes20(initCode) != bytes20(bytes2(0x7702))) return 0;
        assembly ("memory-safe") {
            mstore(0, 0)
            extcodecopy(sender, 0, 0, 23)
            code := mload(0)
        }
    }

    /// A field of the operation: `INIT_CODE`, `CALL_DATA` or `PAYMASTER_AND_DATA`. Not checked to be inside the call's data, for
    /// the EntryPoint encodes operations well, and others get nothing but hashes of them.
    function _bytesOf(PackedUserOperation calldata op, uint256 field) private pure returns (bytes calldata bytes_) {
        assembly ("memory-safe") {
            let at := add(op, calldataload(add(op, field)))
            bytes_.offset := add(at, 0x20)
            bytes_.length := calldataload(at)
        }
    }

    function _hash(bytes calldata bytes_) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let copy := mload(0x40)
            calldatacopy(copy, bytes_.offset, bytes_.length)
            hash := keccak256(copy, bytes_.length)
        }
    }

    /// Who signed the digest as a message; the zero address for a signature that has a twin or is none.
    function _recover(bytes32 digest, bytes calldata data, uint256 at) private view returns (address signer) {
        assembly ("memory-safe") {
            mstore(0, "\x00\x00\x00\x00\x19Ethereum Signed Message:\n32")
            mstore(0x20, digest)
            let message := keccak256(4, 60)
            let signature := add(data.offset, at)
            if iszero(gt(calldataload(add(signature, 0x20)), MAX_S)) {
                let input := mload(0x40)
                mstore(input, message)
                mstore(add(input, 0x20), byte(0, calldataload(add(signature, 0x40))))
                calldatacopy(add(input, 0x40), signature, 0x40)
                // The precompile answers nothing where there is no signer.
                mstore(0, 0)
                pop(staticcall(gas(), 1, input, 0x80, 0, 0x20))
                signer := mload(0)
            }
        }
    }

    /// Passes on the permit that the sender signed for this contract (EIP-2612). A signature that does not have 65 bytes goes to the
    /// form of `permit` that takes `bytes`, which ERC-1271 accounts use. A failure counts for nothing: another transaction may have
    /// used the permit before, and the transfer shows whether the allowance is there.
    function _permit(address token, address sender, bytes calldata data, uint256 termsEnd) private {
        assembly ("memory-safe") {
            let signature := add(data.offset, PERMIT_SIGNATURE_AT)
            let length := sub(termsEnd, PERMIT_SIGNATURE_AT)
            // The selector is the end of the first word.
            let input := mload(0x40)
            mstore(add(input, 0x20), sender)
            mstore(add(input, 0x40), address())
            // The value and the deadline.
            calldatacopy(add(input, 0x60), add(data.offset, PERMIT_AT), 0x40)
            let size := 0xe4
            switch eq(length, SIGNATURE_BYTES)
            case 1 {
                mstore(input, PERMIT_BY_KEY)
                mstore(add(input, 0xa0), byte(0, calldataload(add(signature, 0x40))))
                calldatacopy(add(input, 0xc0), signature, 0x40)
            }
            default {
                mstore(input, PERMIT_BY_BYTES)
                mstore(add(input, 0xa0), 0xa0)
                mstore(add(input, 0xc0), length)
                calldatacopy(add(input, 0xe0), signature, length)
                mstore(add(add(input, 0xe0), length), 0)
                size := add(0xc4, and(add(length, 0x1f), not(0x1f)))
            }
            pop(call(gas(), token, 0, add(input, 0x1c), size, 0, 0))
        }
    }

    /// Moves tokens that their owner has approved for this contract. Takes tokens that answer nothing and none that answer false.
    function _move(address token, address from, address to, uint256 amount) private {
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

    /// The new owner has to take it, so that the contract cannot be lost to an address without a key.
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

    /// What is no signature recovers to the zero address.
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
