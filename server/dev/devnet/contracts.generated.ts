// Generated from contracts/*.sol by `npm run generate`. Do not edit.

export const devTargetAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "FailedOnPurpose",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "caller",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "count",
        "type": "uint256"
      }
    ],
    "name": "Incremented",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "caller",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "Received",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "caller",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "string",
        "name": "note",
        "type": "string"
      }
    ],
    "name": "Recorded",
    "type": "event"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "name": "count",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "fail",
    "outputs": [],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "increment",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "name": "lastNote",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "pay",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "name": "received",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "note",
        "type": "string"
      }
    ],
    "name": "record",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const;

export const devTargetBytecode = '0x6080604052348015600f57600080fd5b506105e58061001f6000396000f3fe6080604052600436106100705760003560e01c8063a9cc47181161004e578063a9cc4718146100ec578063d09de08a14610101578063df0cb93414610116578063e51ace161461014357600080fd5b806305d85eda146100755780631b9265b8146100b5578063200894a9146100bf575b600080fd5b34801561008157600080fd5b506100a261009036600461033e565b60006020819052908152604090205481565b6040519081526020015b60405180910390f35b6100bd610163565b005b3480156100cb57600080fd5b506100df6100da36600461033e565b6101bf565b6040516100ac919061036e565b3480156100f857600080fd5b506100bd610259565b34801561010d57600080fd5b506100bd610278565b34801561012257600080fd5b506100a261013136600461033e565b60026020526000908152604090205481565b34801561014f57600080fd5b506100bd61015e3660046103bc565b6102dc565b3360009081526002602052604081208054349290610182908490610430565b909155505060405134815233907f88a5966d370b9919b20f3e2c13ff65706f196a4e32cc2c12bf57088f88525874906020015b60405180910390a2565b600160205260009081526040902080546101d890610457565b80601f016020809104026020016040519081016040528092919081815260200182805461020490610457565b80156102515780601f1061022657610100808354040283529160200191610251565b820191906000526020600020905b81548152906001019060200180831161023457829003601f168201915b505050505081565b604051630bbad4a160e41b815233600482015260240160405180910390fd5b336000908152602081905260408120805460019290610298908490610430565b909155505033600081815260208181526040918290205491519182527f38ac789ed44572701765277c4d0970f2db1c1a571ed39e84358095ae4eaa542091016101b5565b3360009081526001602052604090206102f68284836104f6565b50336001600160a01b03167f2f1f7aa886f1179cad7a3e0a9ae06f97b1b19b45f10ad614bc5132c90bf4428f83836040516103329291906105b6565b60405180910390a25050565b60006020828403121561035057600080fd5b81356001600160a01b038116811461036757600080fd5b9392505050565b602081526000825180602084015260005b8181101561039c576020818601810151604086840101520161037f565b506000604082850101526040601f19601f83011684010191505092915050565b600080602083850312156103cf57600080fd5b823567ffffffffffffffff8111156103e657600080fd5b8301601f810185136103f757600080fd5b803567ffffffffffffffff81111561040e57600080fd5b85602082840101111561042057600080fd5b6020919091019590945092505050565b8082018082111561045157634e487b7160e01b600052601160045260246000fd5b92915050565b600181811c9082168061046b57607f821691505b60208210810361048b57634e487b7160e01b600052602260045260246000fd5b50919050565b634e487b7160e01b600052604160045260246000fd5b601f8211156104f157806000526020600020601f840160051c810160208510156104ce5750805b601f840160051c820191505b818110156104ee57600081556001016104da565b50505b505050565b67ffffffffffffffff83111561050e5761050e610491565b6105228361051c8354610457565b836104a7565b6000601f841160018114610556576000851561053e5750838201355b600019600387901b1c1916600186901b1783556104ee565b600083815260209020601f19861690835b828110156105875786850135825560209485019460019092019101610567565b50868210156105a45760001960f88860031b161c19848701351681555b505060018560011b0183555050505050565b60208152816020820152818360408301376000818301604090810191909152601f909201601f1916010191905056' as const;

export const devTokenAbi = [
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "name_",
        "type": "string"
      },
      {
        "internalType": "string",
        "name": "symbol_",
        "type": "string"
      },
      {
        "internalType": "uint8",
        "name": "decimals_",
        "type": "uint8"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "allowed",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "InsufficientAllowance",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "balance",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "InsufficientBalance",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "Approval",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "Transfer",
    "type": "event"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "name": "allowance",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "approve",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "name": "balanceOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "decimals",
    "outputs": [
      {
        "internalType": "uint8",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "mint",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "name",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "symbol",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalSupply",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "transfer",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "transferFrom",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const;

export const devTokenBytecode = '0x60a060405234801561001057600080fd5b5060405161099e38038061099e83398101604081905261002f91610110565b600061003b848261021c565b506001610048838261021c565b5060ff16608052506102da9050565b634e487b7160e01b600052604160045260246000fd5b600082601f83011261007e57600080fd5b81516001600160401b0381111561009757610097610057565b604051601f8201601f19908116603f011681016001600160401b03811182821017156100c5576100c5610057565b6040528181528382016020018510156100dd57600080fd5b60005b828110156100fc576020818601810151838301820152016100e0565b506000918101602001919091529392505050565b60008060006060848603121561012557600080fd5b83516001600160401b0381111561013b57600080fd5b6101478682870161006d565b602086015190945090506001600160401b0381111561016557600080fd5b6101718682870161006d565b925050604084015160ff8116811461018857600080fd5b809150509250925092565b600181811c908216806101a757607f821691505b6020821081036101c757634e487b7160e01b600052602260045260246000fd5b50919050565b601f82111561021757806000526020600020601f840160051c810160208510156101f45750805b601f840160051c820191505b818110156102145760008155600101610200565b50505b505050565b81516001600160401b0381111561023557610235610057565b610249816102438454610193565b846101cd565b6020601f82116001811461027d57600083156102655750848201515b600019600385901b1c1916600184901b178455610214565b600084815260208120601f198516915b828110156102ad578785015182556020948501946001909201910161028d565b50848210156102cb5786840151600019600387901b60f8161c191681555b50505050600190811b01905550565b6080516106a96102f5600039600061011301526106a96000f3fe608060405234801561001057600080fd5b506004361061009e5760003560e01c806340c10f191161006657806340c10f191461014757806370a082311461015c57806395d89b411461017c578063a9059cbb14610184578063dd62ed3e1461019757600080fd5b806306fdde03146100a3578063095ea7b3146100c157806318160ddd146100e457806323b872dd146100fb578063313ce5671461010e575b600080fd5b6100ab6101c2565b6040516100b8919061050d565b60405180910390f35b6100d46100cf366004610577565b610250565b60405190151581526020016100b8565b6100ed60025481565b6040519081526020016100b8565b6100d46101093660046105a1565b6102bd565b6101357f000000000000000000000000000000000000000000000000000000000000000081565b60405160ff90911681526020016100b8565b61015a610155366004610577565b610374565b005b6100ed61016a3660046105de565b60036020526000908152604090205481565b6100ab6103fd565b6100d4610192366004610577565b61040a565b6100ed6101a5366004610600565b600460209081526000928352604080842090915290825290205481565b600080546101cf90610633565b80601f01602080910402602001604051908101604052809291908181526020018280546101fb90610633565b80156102485780601f1061021d57610100808354040283529160200191610248565b820191906000526020600020905b81548152906001019060200180831161022b57829003601f168201915b505050505081565b3360008181526004602090815260408083206001600160a01b038716808552925280832085905551919290917f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925906102ab9086815260200190565b60405180910390a35060015b92915050565b6001600160a01b0383166000908152600460209081526040808320338452909152812054600019811461035e578281101561032f5760405163246fb68960e21b81526001600160a01b038616600482015233602482015260448101829052606481018490526084015b60405180910390fd5b6103398382610683565b6001600160a01b03861660009081526004602090815260408083203384529091529020555b610369858585610420565b506001949350505050565b80600260008282546103869190610696565b90915550506001600160a01b038216600090815260036020526040812080548392906103b3908490610696565b90915550506040518181526001600160a01b038316906000907fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef9060200160405180910390a35050565b600180546101cf90610633565b6000610417338484610420565b50600192915050565b6001600160a01b038316600090815260036020526040902054818110156104735760405163db42144d60e01b81526001600160a01b03851660048201526024810182905260448101839052606401610326565b61047d8282610683565b6001600160a01b0380861660009081526003602052604080822093909355908516815290812080548492906104b3908490610696565b92505081905550826001600160a01b0316846001600160a01b03167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef846040516104ff91815260200190565b60405180910390a350505050565b602081526000825180602084015260005b8181101561053b576020818601810151604086840101520161051e565b506000604082850101526040601f19601f83011684010191505092915050565b80356001600160a01b038116811461057257600080fd5b919050565b6000806040838503121561058a57600080fd5b6105938361055b565b946020939093013593505050565b6000806000606084860312156105b657600080fd5b6105bf8461055b565b92506105cd6020850161055b565b929592945050506040919091013590565b6000602082840312156105f057600080fd5b6105f98261055b565b9392505050565b6000806040838503121561061357600080fd5b61061c8361055b565b915061062a6020840161055b565b90509250929050565b600181811c9082168061064757607f821691505b60208210810361066757634e487b7160e01b600052602260045260246000fd5b50919050565b634e487b7160e01b600052601160045260246000fd5b818103818111156102b7576102b761066d565b808201808211156102b7576102b761066d56' as const;

export const devFeedAbi = [
  {
    "inputs": [],
    "name": "answer",
    "outputs": [
      {
        "internalType": "int256",
        "name": "",
        "type": "int256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "decimals",
    "outputs": [
      {
        "internalType": "uint8",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "description",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "latestRoundData",
    "outputs": [
      {
        "internalType": "uint80",
        "name": "",
        "type": "uint80"
      },
      {
        "internalType": "int256",
        "name": "",
        "type": "int256"
      },
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      },
      {
        "internalType": "uint80",
        "name": "",
        "type": "uint80"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  }
] as const;

export const devFeedBytecode = '0x6080604052348015600f57600080fd5b506101e28061001f6000396000f3fe608060405234801561001057600080fd5b506004361061004c5760003560e01c8063313ce567146100515780637284e4161461007057806385bb7d6914610085578063feaf968c1461009c575b600080fd5b610059600881565b60405160ff90911681526020015b60405180910390f35b6100786100cc565b604051610067919061015a565b61008e60005481565b604051908152602001610067565b6000546040805160018082526020820193909352908101829052426060820152608081019190915260a001610067565b600180546100d9906101a8565b80601f0160208091040260200160405190810160405280929190818152602001828054610105906101a8565b80156101525780601f1061012757610100808354040283529160200191610152565b820191906000526020600020905b81548152906001019060200180831161013557829003601f168201915b505050505081565b602081526000825180602084015260005b81811015610188576020818601810151604086840101520161016b565b506000604082850101526040601f19601f83011684010191505092915050565b600181811c908216806101bc57607f821691505b6020821081036101dc57634e487b7160e01b600052602260045260246000fd5b5091905056' as const;

export const devFeeOracleAbi = [
  {
    "inputs": [
      {
        "internalType": "bytes",
        "name": "transaction",
        "type": "bytes"
      }
    ],
    "name": "getL1Fee",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "gasUsed",
        "type": "uint256"
      }
    ],
    "name": "getOperatorFee",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  }
] as const;

export const devFeeOracleBytecode = '0x6080604052348015600f57600080fd5b506101858061001f6000396000f3fe608060405234801561001057600080fd5b50600436106100365760003560e01c8063275aedd21461003b57806349948e0e14610060575b600080fd5b61004e6100493660046100b8565b610073565b60405190815260200160405180910390f35b61004e61006e3660046100d1565b610097565b60006100828262015f9061015b565b6100919064012a05f200610172565b92915050565b60006100a4826044610172565b6100b190620f424061015b565b9392505050565b6000602082840312156100ca57600080fd5b5035919050565b600080602083850312156100e457600080fd5b823567ffffffffffffffff8111156100fb57600080fd5b8301601f8101851361010c57600080fd5b803567ffffffffffffffff81111561012357600080fd5b85602082840101111561013557600080fd5b6020919091019590945092505050565b634e487b7160e01b600052601160045260246000fd5b808202811582820484141761009157610091610145565b808201808211156100915761009161014556' as const;
