// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface ArbSys {
    function arbBlockNumber() external view returns (uint256);
}

/** In which state of the chain a simulation runs: two of them that name the same moment have seen the same state. */
library Moment {
    /** On Arbitrum, whose `block.number` is that of the other layer. It has code there and nowhere else. */
    address private constant ARB_SYS = 0x0000000000000000000000000000000000000064;

    function current() internal view returns (bytes32) {
        uint256 number = block.number;
        uint256 ownNumber = ARB_SYS.code.length == 0 ? 0 : ArbSys(ARB_SYS).arbBlockNumber();
        return keccak256(abi.encode(number, ownNumber, number == 0 ? bytes32(0) : blockhash(number - 1)));
    }
}
