// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EntryPoint, FuzzLab, PackedUserOperation, Paymaster} from "./FuzzLab.sol";

/// What a digest is bound to: every field of the operation as the EntryPoint has it, the delegation of a sender with the
/// EIP-7702 marker, chain, contract, EntryPoint and terms.
contract DigestTest is FuzzLab {
    address private constant ONE = address(0xa1);
    address private constant OTHER = address(0xa2);

    Paymaster private at08;
    Paymaster private at09;
    Paymaster private second;

    /// An operation in the parts that its digest has to be bound to.
    struct Parts {
        address sender;
        uint256 nonce;
        uint8 initKind;
        bytes initData;
        bytes callData;
        bytes32 accountGasLimits;
        uint256 preVerificationGas;
        bytes32 gasFees;
        bytes32 paymasterGasLimits;
        uint8 kind;
        bytes12 window;
        bytes32[3] payment;
        bytes32[2] permit;
        bytes permitSignature;
        bool otherDelegate;
    }

    function setUp() external {
        at08 = _newPaymaster(entryPoint08);
        at09 = _newPaymaster(entryPoint09);
        second = _newPaymaster(entryPoint09);
    }

    /// Two operations that share some fields and differ in others have one digest where all of their fields are the same, and
    /// nowhere else; the same goes for the EntryPoints' own hashes, except for how the marker of EIP-7702 is written.
    function testFuzz_onlyEqualOperationsHaveOneDigest(Parts memory a, Parts memory b, uint16 shared) external {
        _share(a, b, shared);
        (PackedUserOperation memory one, bytes32 fieldsOfOne) = _read(a);
        bytes32 digest = at09.getHash(one);
        bytes32 digest08 = at08.getHash(one);
        bytes32 hash = entryPoint09.getUserOpHash(one);
        (PackedUserOperation memory other, bytes32 fieldsOfOther) = _read(b);
        bool same = fieldsOfOne == fieldsOfOther;
        assert((digest == at09.getHash(other)) == same);
        assert((digest08 == at08.getHash(other)) == same);
        if (hash != entryPoint09.getUserOpHash(other)) assert(!same);
    }

    /// A byte that moves from one field to its neighbour makes another operation.
    function testFuzz_noByteMovesBetweenFields(Parts memory a, bytes1 moved) external {
        a.initKind = 5;
        (PackedUserOperation memory one,) = _read(a);
        PackedUserOperation memory other = _copy(one);
        one.initCode = bytes.concat(one.initCode, moved);
        other.callData = bytes.concat(moved, other.callData);
        assert(at09.getHash(one) != at09.getHash(other));
    }

    /// One bit of any field, turned.
    function testFuzz_everyBitCounts(Parts memory a, uint8 field, uint16 bit) external {
        (PackedUserOperation memory op,) = _read(a);
        bytes32 digest = at09.getHash(op);
        uint256 word = 1 << (bit % 256);
        if (field % 7 == 0) op.nonce ^= word;
        else if (field % 7 == 1) op.accountGasLimits ^= bytes32(word);
        else if (field % 7 == 2) op.preVerificationGas ^= word;
        else if (field % 7 == 3) op.gasFees ^= bytes32(word);
        else if (field % 7 == 4) op.callData = _turned(bytes.concat(op.callData, "\x00"), 0, bit);
        else if (field % 7 == 5) op.initCode = _turned(bytes.concat(bytes20(ONE), op.initCode, "\x00"), 0, bit);
        else {
            uint256 turned = bit % (8 * (_termsLength(a) - 1));
            // Another length of the permit's signature does not fit the data's.
            if (turned / 8 == 205 - 53 || turned / 8 == 206 - 53) return;
            op.paymasterAndData = _turned(op.paymasterAndData, 53, turned);
        }
        bytes32 before = field % 7 == 4 || field % 7 == 5 ? _unturned(a, field % 7 == 5) : digest;
        assert(before != at09.getHash(op));
    }

    /// Chain, contract and EntryPoint.
    function testFuzz_chainContractAndEntryPointCount(Parts memory a, uint64 chain) external {
        (PackedUserOperation memory op,) = _read(a);
        bytes32 digest = at09.getHash(op);
        assert(digest != second.getHash(op) && digest != at08.getHash(op));
        if (chain == 0 || chain == block.chainid) return;
        vm.chainId(chain);
        assert(digest != at09.getHash(op));
    }

    /// A signature is taken as it was made. With any other byte anywhere behind the address it is not.
    function testFuzz_onlyWhatWasSignedIsTaken(Parts memory a, uint16 at, uint8 change) external {
        a.kind = a.kind & 8 != 0 ? a.kind & 13 | 1 : a.kind & 5;
        a.window = bytes12(uint96(2 ** 40) << 48 | 7);
        // No advance, which is in the last 8 bytes of one word and the first 8 of the next: nothing is moved here.
        a.payment[1] &= ~bytes32(uint256(type(uint64).max));
        a.payment[2] &= bytes32(type(uint256).max >> 64);
        (PackedUserOperation memory op,) = _read(a);
        bytes memory limitsAndTerms = _slice(op.paymasterAndData, 20, 52 + _termsLength(a));
        op.paymasterAndData = _sign(at09, op, limitsAndTerms, a.kind & 4 != 0);
        assert(_accepts(op));
        bytes memory data = op.paymasterAndData;
        data[20 + at % (data.length - 20)] ^= bytes1(change == 0 ? 1 : change);
        assert(!_accepts(op));
    }

    function _accepts(PackedUserOperation memory op) private returns (bool) {
        vm.prank(address(entryPoint09));
        try at09.validatePaymasterUserOp(op, bytes32(0), 0) returns (bytes memory, uint256 validationData) {
            return uint160(validationData) == 0;
        } catch {
            return false;
        }
    }

    /// Makes fields of the second operation those of the first.
    function _share(Parts memory a, Parts memory b, uint16 shared) private pure {
        if (shared & 1 != 0) b.sender = a.sender;
        if (shared & 2 != 0) b.nonce = a.nonce;
        if (shared & 4 != 0) (b.initKind, b.initData) = (a.initKind, a.initData);
        if (shared & 8 != 0) b.callData = a.callData;
        if (shared & 16 != 0) b.accountGasLimits = a.accountGasLimits;
        if (shared & 32 != 0) b.preVerificationGas = a.preVerificationGas;
        if (shared & 64 != 0) b.gasFees = a.gasFees;
        if (shared & 128 != 0) b.paymasterGasLimits = a.paymasterGasLimits;
        if (shared & 256 != 0) b.kind = a.kind;
        if (shared & 512 != 0) b.window = a.window;
        if (shared & 1024 != 0) b.payment = a.payment;
        if (shared & 2048 != 0) b.otherDelegate = a.otherDelegate;
        if (shared & 4096 != 0) b.permit = a.permit;
        if (shared & 8192 != 0) b.permitSignature = a.permitSignature;
        // Mostly neighbours of each other: one field apart, or only in how the delegate is written.
        if (shared & 0xc000 == 0xc000) {
            uint8 initKind = b.initKind;
            bool otherDelegate = b.otherDelegate;
            Parts memory near = abi.decode(abi.encode(a), (Parts));
            (near.initKind, near.otherDelegate) = (initKind, otherDelegate);
            _assign(b, near);
        }
    }

    function _assign(Parts memory b, Parts memory near) private pure {
        (b.sender, b.nonce, b.initKind, b.initData, b.callData) =
            (near.sender, near.nonce, near.initKind, near.initData, near.callData);
        (b.accountGasLimits, b.preVerificationGas, b.gasFees, b.paymasterGasLimits) =
            (near.accountGasLimits, near.preVerificationGas, near.gasFees, near.paymasterGasLimits);
        (b.kind, b.window, b.payment, b.otherDelegate) = (near.kind, near.window, near.payment, near.otherDelegate);
        (b.permit, b.permitSignature) = (near.permit, near.permitSignature);
    }

    /// The operation, and an encoding of its fields that no other operation has. The sender delegates as the parts say.
    function _read(Parts memory parts) private returns (PackedUserOperation memory op, bytes32 fields) {
        address delegate = parts.otherDelegate ? OTHER : ONE;
        // forge likes addresses that it has seen: none of the contracts here may become an account.
        address sender = address(uint160(uint256(keccak256(abi.encode(parts.sender)))));
        vm.etch(sender, bytes.concat(hex"ef0100", bytes20(delegate)));
        parts.kind &= parts.kind & 1 == 0 ? 6 : 15;
        bytes memory limitsAndTerms = bytes.concat(parts.paymasterGasLimits, bytes1(parts.kind), parts.window);
        if (parts.kind & 1 != 0) {
            limitsAndTerms = bytes.concat(limitsAndTerms, _slice(abi.encode(parts.payment), 0, 76));
        }
        if (parts.kind & 8 != 0) {
            bytes memory length = abi.encodePacked(uint16(parts.permitSignature.length));
            limitsAndTerms = bytes.concat(limitsAndTerms, abi.encode(parts.permit), length, parts.permitSignature);
        }
        bool marked;
        (op.initCode, marked) = _initCode(parts);
        op.sender = sender;
        op.nonce = parts.nonce;
        op.callData = parts.callData;
        op.accountGasLimits = parts.accountGasLimits;
        op.preVerificationGas = parts.preVerificationGas;
        op.gasFees = parts.gasFees;
        op.paymasterAndData = _data(at09, limitsAndTerms, new bytes(65), parts.kind & 4 != 0);
        fields = keccak256(
            abi.encode(_copy(op), limitsAndTerms, marked ? delegate : address(0))
        );
    }

    /// Each way to write an initCode, the delegates' addresses in the place of the marker among them.
    function _initCode(Parts memory parts) private pure returns (bytes memory, bool marked) {
        uint256 way = parts.initKind % 8;
        if (way == 0) return ("", false);
        if (way == 1) return (hex"7702", true);
        if (way == 2) return (bytes.concat(bytes20(bytes2(0x7702))), true);
        if (way == 3) return (bytes.concat(bytes20(bytes2(0x7702)), parts.initData), true);
        if (way == 4) return (bytes.concat(bytes20(ONE), parts.initData), false);
        if (way == 5) return (bytes.concat(bytes20(OTHER), parts.initData), false);
        if (way == 6) return (bytes.concat(hex"ef0100", bytes20(ONE)), false);
        return (bytes.concat(bytes20(parts.sender), parts.initData), false);
    }

    /// The digest of the operation as `testFuzz_everyBitCounts` changes it, before a bit is turned.
    function _unturned(Parts memory a, bool initCode) private returns (bytes32) {
        (PackedUserOperation memory op,) = _read(a);
        if (initCode) op.initCode = bytes.concat(bytes20(ONE), op.initCode, "\x00");
        else op.callData = bytes.concat(op.callData, "\x00");
        return at09.getHash(op);
    }

    function _termsLength(Parts memory parts) private pure returns (uint256) {
        if (parts.kind & 8 != 0) return 89 + 66 + parts.permitSignature.length;
        return parts.kind & 1 == 0 ? 13 : 89;
    }

    function _copy(PackedUserOperation memory op) private pure returns (PackedUserOperation memory) {
        return abi.decode(abi.encode(op), (PackedUserOperation));
    }

    function _turned(bytes memory data, uint256 from, uint256 bit) private pure returns (bytes memory) {
        data[from + (bit / 8) % (data.length - from)] ^= bytes1(uint8(1 << (bit % 8)));
        return data;
    }

    function _slice(bytes memory data, uint256 from, uint256 to) private pure returns (bytes memory part) {
        part = new bytes(to - from);
        for (uint256 i = from; i < to; i++) part[i - from] = data[i];
    }
}
