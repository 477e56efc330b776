// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/** A token that, like USDT, changes an allowance only from or to 0. */
contract CautiousToken {
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    function approve(address spender, uint256 amount) external {
        if (amount != 0 && allowance[msg.sender][spender] != 0) revert();
        allowance[msg.sender][spender] = amount;
    }

    /** Sets an allowance of an account that may not exist yet. */
    function assume(address owner, address spender, uint256 amount) external {
        allowance[owner][spender] = amount;
    }
}
