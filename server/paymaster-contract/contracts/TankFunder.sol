// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IDepositKeeper {
    function depositTo(address account) external payable;
}

/// Deposits at an EntryPoint for a paymaster and says whose gas tank it fills.
///
/// The EntryPoint's `Deposited` names the paymaster and no payer. So a deposit of a Safe, of a multicall or inside a bundle belongs to
/// no one that a ledger could tell. This contract names the wallet in an event right behind it, in the same call.
///
/// It has no owner, keeps nothing and calls nothing but the EntryPoint that is named. Whoever names another contract as the EntryPoint
/// sends their own value there, and gets an event that names that contract.
contract TankFunder {
    /// Right behind the `Deposited` of this deposit. `amount` in wei.
    event TankFilled(
        address indexed entryPoint, address indexed paymaster, address indexed wallet, address payer, uint256 amount
    );

    error NothingSent();

    /// Anybody may fill the tank of any wallet. The value is what comes in.
    function fillTank(address entryPoint, address paymaster, address wallet) external payable {
        if (msg.value == 0) revert NothingSent();
        IDepositKeeper(entryPoint).depositTo{value: msg.value}(paymaster);
        emit TankFilled(entryPoint, paymaster, wallet, msg.sender, msg.value);
    }
}
