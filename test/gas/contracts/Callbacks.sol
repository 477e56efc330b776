// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface Account {
    function collected(uint256 id) external;
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
    function supportsInterface(bytes4 id) external view returns (bool);
}

/** Calls back for whoever asks it to. */
contract Pool {
    function lend(address borrower) external {
        Account(borrower).collected(1);
    }
}

/** Methods under names that no standard has; those with "quiet" in their name leave no gas to their caller. */
contract Callbacks {
    Pool private immutable pool = new Pool();
    mapping(address => uint256) public balances;

    function collect() external {
        Account(msg.sender).collected(1);
    }

    function collectThroughPool() external {
        pool.lend(msg.sender);
    }

    function collectAndForget() external {
        try this.collectFor(msg.sender) {} catch {}
    }

    function collectFor(address account) external {
        Account(account).collected(1);
        revert("forgotten");
    }

    function collectWithPermission() external view {
        require(Account(msg.sender).isValidSignature(0, "") == Account.isValidSignature.selector, "not signed");
    }

    function giveTo(address receiver) external {
        balances[receiver]++;
        if (receiver.code.length > 0) Account(receiver).collected(1);
    }

    function refund() external payable {
        (bool success,) = msg.sender.call{value: msg.value}("");
        require(success, "not taken");
    }

    function quietRefund() external payable {
        payable(msg.sender).transfer(msg.value);
    }

    function quietQuestion() external view {
        require(Account(msg.sender).supportsInterface{gas: 30_000}(0x01ffc9a7), "no ERC-165");
        require(!Account(msg.sender).supportsInterface{gas: 30_000}(0xffffffff), "no ERC-165");
    }

    function quietCount() external {
        balances[msg.sender]++;
    }

    function quietNote(address friend, uint256 amount) external {
        balances[friend] += amount;
        balances[msg.sender]++;
    }

    function collectIfNoted() external {
        require(balances[msg.sender] > 0, "not noted");
        Account(msg.sender).collected(1);
    }
}

/** Runs the code of another contract with its own storage. */
contract Proxy {
    address private immutable implementation;

    constructor(address code) {
        implementation = code;
    }

    fallback() external payable {
        (bool success,) = implementation.delegatecall(msg.data);
        require(success, "failed");
    }
}
