// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/**
 * Accepts whatever it is asked, as an account and as a paymaster of any EntryPoint, but in a transaction that an account sends
 * and pays for only.
 */
contract Suspicious {
    error Simulated(address origin, uint256 price, uint256 baseFee);

    fallback() external payable {
        bool isPaid = tx.gasprice > block.basefee && block.basefee > 0;
        if (tx.origin == address(0) || !isPaid) revert Simulated(tx.origin, tx.gasprice, block.basefee);
        // An empty context and no time bounds; an account reads the first word, which is 0 for it.
        bytes memory answer = isAccountValidation() ? abi.encode(uint256(0)) : abi.encode("", uint256(0));
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }

    /** validateUserOp of 0.6 and of the versions after it. */
    function isAccountValidation() private pure returns (bool) {
        return msg.sig == 0x3a871cdd || msg.sig == 0x19822f7c;
    }
}
