// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A token that misbehaves as it is told, for the paymaster that takes it.
contract OddToken {
    enum Manner { AnswersNothing, AnswersFalse, Reverts, ComesBack, BurnsGas }

    Manner public manner;
    mapping(address => uint256) public balanceOf;

    constructor(Manner manner_) {
        manner = manner_;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function transferFrom(address from, address to, uint256 value) external {
        require(manner != Manner.Reverts, "no transfer");
        while (manner == Manner.BurnsGas) {}
        if (manner == Manner.ComesBack) {
            // Whoever calls the paymaster from inside a payment gets nowhere.
            (bool again,) = msg.sender.call(abi.encodeWithSignature("postOp(uint8,bytes,uint256,uint256)", 0, "", 1, 1));
            (bool withdrawn,) = msg.sender.call(abi.encodeWithSignature("withdrawTo(address,uint256)", this, 1));
            (bool added,) = msg.sender.call(abi.encodeWithSignature("addSigner(address)", this));
            require(!again && !withdrawn && !added, "the paymaster let itself be called");
        }
        if (manner != Manner.AnswersFalse) {
            balanceOf[from] -= value;
            balanceOf[to] += value;
        }
        bytes memory answer = manner == Manner.AnswersNothing ? bytes("") : abi.encode(manner != Manner.AnswersFalse);
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}
