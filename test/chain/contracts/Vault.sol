// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/** Says no in every way that a contract can. */
contract Vault {
    error Closed();
    error Refused(address who, uint256 amount, string why);
    error CallFailed(bytes reason);

    uint256 public visits;

    function shut() external {
        visits++;
        revert Closed();
    }

    function refuse(uint256 amount, string calldata why) external {
        visits++;
        revert Refused(msg.sender, amount, why);
    }

    /** Hands on what the other contract reverts with. */
    function askThrough(Guard guard) external {
        visits++;
        guard.deny();
    }

    /** Wraps what the other contract reverts with. */
    function askWrapped(Guard guard) external {
        visits++;
        try guard.deny() {} catch (bytes memory reason) {
            revert CallFailed(reason);
        }
    }

    function open(Guard guard) external {
        visits++;
        guard.look();
    }
}

contract Guard {
    error Denied(int64 code, bytes4 what, uint256[] counts);
    error TooFewGas();

    function deny() external pure {
        uint256[] memory counts = new uint256[](2);
        counts[0] = 7;
        counts[1] = 8;
        revert Denied(-5, 0x01020304, counts);
    }

    function look() external view {
        if (gasleft() < 150_000) revert TooFewGas();
    }
}
