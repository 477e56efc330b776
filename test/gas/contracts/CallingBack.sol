// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface Account {
    function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4);
    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external returns (bytes4);
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4);
    function supportsInterface(bytes4) external view returns (bool);
}

/** What sponsored contracts ask of the account that calls them. */
contract CallingBack {
    mapping(address caller => uint256) public minted;

    function mint() external {
        minted[msg.sender]++;
        require(Account(msg.sender).onERC721Received(msg.sender, address(0), 1, "") == Account.onERC721Received.selector);
    }

    function mintMany() external {
        bytes4 answer = Account(msg.sender).onERC1155Received(msg.sender, address(0), 1, 1, "");
        require(answer == Account.onERC1155Received.selector);
    }

    function checkSignature() external view {
        require(Account(msg.sender).isValidSignature(0, "") == Account.isValidSignature.selector);
    }

    function checkInterface() external view {
        require(Account(msg.sender).supportsInterface(Account.onERC721Received.selector));
    }

    function giveBack() external payable {
        (bool success,) = msg.sender.call{value: msg.value}("");
        require(success);
    }

    function needGas(uint256 amount) external view {
        require(gasleft() > amount);
    }

    function fail() external pure {
        revert("as always");
    }
}
