// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/** Calls that are hard to estimate, and some that fail. */
contract GasPuzzle {
    error Refused(address caller);

    mapping(address => uint256) public calls;
    mapping(uint256 => uint256) public slots;
    uint256 public filled;

    /** Writes `count` fresh storage slots. */
    function fill(uint256 count) external {
        calls[msg.sender]++;
        for (uint256 i = 0; i < count; i++) slots[filled + i] = 1;
        filled += count;
    }

    /** Calls itself `depth` times and burns gas at the bottom: at each level 1/64 of the gas stays behind. */
    function dive(uint256 depth, uint256 slotCount) external {
        calls[msg.sender]++;
        if (depth == 0) {
            for (uint256 i = 0; i < slotCount; i++) slots[filled + i] = 1;
            filled += slotCount;
            return;
        }
        this.dive(depth - 1, slotCount);
    }

    /** Burns next to nothing and wants to see a lot of gas. */
    function wantGas(uint256 atLeast) external {
        require(gasleft() >= atLeast, "not enough gas left");
        calls[msg.sender]++;
    }

    /** Clears slots, so that part of the gas used comes back as a refund after the call. */
    function clear(uint256 count) external {
        calls[msg.sender]++;
        for (uint256 i = 0; i < count; i++) delete slots[filled - 1 - i];
        filled -= count;
    }

    function store(bytes calldata) external {
        calls[msg.sender]++;
    }

    function failWithText() external pure {
        revert("the vault is closed");
    }

    function failWithUglyText() external pure {
        bytes memory text = new bytes(1500);
        for (uint256 i = 0; i < text.length; i++) text[i] = i % 50 == 49 ? bytes1(0x0a) : bytes1("x");
        revert(string(text));
    }

    function failWithCustomError() external view {
        revert Refused(msg.sender);
    }

    function failWithPanic() external pure {
        assert(false);
    }

    function spin() external {
        while (true) calls[msg.sender]++;
    }
}

/** An account of EntryPoint 0.7 and up that takes every signature and is executed with the whole operation. */
contract WholeOperationAccount {
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

    bytes32 public lastHash;
    uint256 public validations;

    function validateUserOp(PackedUserOperation calldata op, bytes32, uint256) external returns (uint256) {
        if (op.signature.length == 66) revert();
        validations++;
        return 0;
    }

    function executeUserOp(PackedUserOperation calldata op, bytes32 userOpHash) external {
        require(op.callData.length >= 4, "no call data");
        lastHash = userOpHash;
    }
}

/** A token that everybody owns and that writes four fresh storage slots for each transfer. */
contract HeavyToken {
    mapping(uint256 => uint256) public slots;
    uint256 public transfers;

    function transferFrom(address, address, uint256) external returns (bool) {
        for (uint256 i = 0; i < 4; i++) slots[4 * transfers + i] = 1;
        transfers++;
        return true;
    }
}
