// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface Receiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data) external returns (bytes4);
}

/** What ERC-721 says of `safeMint`: a receiver with code is called. */
contract Collectible {
    mapping(uint256 => address) public ownerOf;
    uint256 private next;

    function safeMint(address to) external {
        uint256 id = next++;
        ownerOf[id] = to;
        if (to.code.length > 0) Receiver(to).onERC721Received(msg.sender, address(0), id, "");
    }
}

/** A receiver that sets storage and clears it again: the chain refunds a part to the bundler, and the tank pays all of it. */
contract Burner {
    mapping(uint256 => uint256) private slots;

    function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4) {
        for (uint256 i = 0; i < 60; i++) slots[i] = 1;
        for (uint256 i = 0; i < 60; i++) slots[i] = 0;
        return Receiver.onERC721Received.selector;
    }
}
