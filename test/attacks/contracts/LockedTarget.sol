// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface Borrower {
    function lent() external;
}

/** A contract with a reentrancy guard, which calls its caller back while it is locked, as those that lend do. */
contract LockedTarget {
    bool private locked;
    uint256 public count;

    modifier guarded() {
        require(!locked, "locked");
        locked = true;
        _;
        locked = false;
    }

    function increment() external guarded {
        count += 1;
    }

    function lend() external guarded {
        Borrower(msg.sender).lent();
    }
}

/** Has an operation handled while the contract that it calls is locked. */
contract Griefer {
    address private entryPoint;
    bytes private bundle;

    function grief(LockedTarget target, address entryPoint_, bytes calldata bundle_) external {
        (entryPoint, bundle) = (entryPoint_, bundle_);
        target.lend();
    }

    function lent() external {
        (bool success, bytes memory result) = entryPoint.call(bundle);
        if (success) return;
        assembly {
            revert(add(result, 32), mload(result))
        }
    }

    receive() external payable {}
}
