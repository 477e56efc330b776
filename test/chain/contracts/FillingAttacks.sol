// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IFunder {
    function fillTank(address entryPoint, address paymaster, address wallet) external payable;
}

interface IKeeper {
    function depositTo(address account) external payable;
}

/// Fills tanks in odd ways, to see what a ledger makes of them.
contract FillingAttacks {
    event TankFilled(
        address indexed entryPoint, address indexed paymaster, address indexed wallet, address payer, uint256 amount
    );

    IFunder private immutable funder;
    address private immutable entryPoint;
    address private immutable paymaster;
    address private gainer;

    constructor(IFunder funder_, address entryPoint_, address paymaster_) {
        funder = funder_;
        entryPoint = entryPoint_;
        paymaster = paymaster_;
    }

    /// Two wallets, and between them a deposit that names no one: 1, 10 and 100 parts of the value.
    function several(address one, address other) external payable {
        uint256 part = msg.value / 111;
        funder.fillTank{value: part}(entryPoint, paymaster, one);
        IKeeper(entryPoint).depositTo{value: 100 * part}(paymaster);
        funder.fillTank{value: 10 * part}(entryPoint, paymaster, other);
    }

    /// A deposit of one part, and an event of its own that tells of the rest.
    function forge(address wallet) external payable {
        IKeeper(entryPoint).depositTo{value: 1}(paymaster);
        emit TankFilled(entryPoint, paymaster, wallet, msg.sender, 1 ether);
    }

    /// The same with the funder's own code: the event is this contract's.
    function borrow(address wallet) external payable {
        IKeeper(entryPoint).depositTo{value: 1}(paymaster);
        (bool done,) = address(funder).delegatecall(
            abi.encodeCall(IFunder.fillTank, (address(this), paymaster, wallet))
        );
        require(done);
    }

    /// This contract instead of the EntryPoint, which gives one wei on to the real one meanwhile.
    function pose(address wallet) external payable {
        gainer = wallet;
        funder.fillTank{value: msg.value}(address(this), paymaster, wallet);
    }

    function depositTo(address) external payable {
        if (gainer != address(0)) IKeeper(entryPoint).depositTo{value: 1}(paymaster);
    }

    /// A filling that is undone, before one wei that is not.
    function undo(address wallet) external payable {
        try this.fillAndRevert{value: msg.value - 1}(wallet) {} catch {}
        IKeeper(entryPoint).depositTo{value: 1}(paymaster);
    }

    function fillAndRevert(address wallet) external payable {
        funder.fillTank{value: msg.value}(entryPoint, paymaster, wallet);
        revert();
    }

    receive() external payable {}
}
