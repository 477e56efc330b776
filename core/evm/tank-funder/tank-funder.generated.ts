// Made from contracts/TankFunder.sol by `npm run generate`. Do not edit.
export const tankFunderAbi = [
  {
    "inputs": [],
    "name": "NothingSent",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "entryPoint",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "paymaster",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "wallet",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "payer",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "TankFilled",
    "type": "event"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "entryPoint",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "paymaster",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "wallet",
        "type": "address"
      }
    ],
    "name": "fillTank",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  }
] as const;

export const tankFunderBytecode =
  '0x6080604052348015600f57600080fd5b506101658061001f6000396000f3fe60806040526004361061001e5760003560e01c806318e0761214610023575b600080fd5b610036610031366004610122565b610038565b005b3460000361005957604051634454fc5b60e01b815260040160405180910390fd5b60405163b760faf960e01b81526001600160a01b03838116600483015284169063b760faf99034906024016000604051808303818588803b15801561009d57600080fd5b505af11580156100b1573d6000803e3d6000fd5b5050604080513381523460208201526001600160a01b0380871695508781169450881692507f223bef8cdaface33c18a12d58115e539fcad27ad7720062888aaf21ae9080c4a910160405180910390a4505050565b80356001600160a01b038116811461011d57600080fd5b919050565b60008060006060848603121561013757600080fd5b61014084610106565b925061014e60208501610106565b915061015c60408501610106565b9050925092509256';
