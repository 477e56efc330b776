// Made from call-gas-probe.sol by test/tooling/compile-solidity.ts. Do not edit.
export const callGasProbeAbi = [
  {
    "stateMutability": "payable",
    "type": "fallback"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "target",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "gasLimit",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "data",
        "type": "bytes"
      }
    ],
    "name": "attempt",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "target",
        "type": "address"
      },
      {
        "internalType": "bytes",
        "name": "data",
        "type": "bytes"
      }
    ],
    "name": "capture",
    "outputs": [
      {
        "internalType": "bool",
        "name": "success",
        "type": "bool"
      },
      {
        "internalType": "bytes",
        "name": "result",
        "type": "bytes"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes",
        "name": "data",
        "type": "bytes"
      }
    ],
    "name": "handle",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "components": [
              {
                "internalType": "address",
                "name": "target",
                "type": "address"
              },
              {
                "internalType": "bytes",
                "name": "data",
                "type": "bytes"
              }
            ],
            "internalType": "struct CallGasProbe.Read[]",
            "name": "reads",
            "type": "tuple[]"
          },
          {
            "internalType": "bytes",
            "name": "operation",
            "type": "bytes"
          },
          {
            "internalType": "bool",
            "name": "isPacked",
            "type": "bool"
          },
          {
            "internalType": "bytes32",
            "name": "hash",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "maxCost",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "senderCreator",
            "type": "address"
          },
          {
            "internalType": "bytes",
            "name": "creation",
            "type": "bytes"
          },
          {
            "internalType": "address",
            "name": "sender",
            "type": "address"
          },
          {
            "internalType": "bool",
            "name": "takesWholeOperation",
            "type": "bool"
          },
          {
            "internalType": "address",
            "name": "paymaster",
            "type": "address"
          },
          {
            "internalType": "uint256[]",
            "name": "verificationCeilings",
            "type": "uint256[]"
          },
          {
            "internalType": "bool",
            "name": "alone",
            "type": "bool"
          },
          {
            "internalType": "uint256",
            "name": "verificationCeiling",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "paymasterOverhead",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "executionCeiling",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "postOpCeiling",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "feePerGas",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "rounds",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "postOpRounds",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "chargedOverhead",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "highestCost",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "bool",
            "name": "mayRevert",
            "type": "bool"
          },
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "verification",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "call",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "postOp",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "callAllowance",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "minCall",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "unmeasuredPostOp",
                "type": "uint256"
              }
            ],
            "internalType": "struct CallGasProbe.Margins",
            "name": "margins",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "call",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "verification",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "preVerification",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "paymasterVerification",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "postOp",
                "type": "uint256"
              }
            ],
            "internalType": "struct CallGasProbe.Limits[]",
            "name": "given",
            "type": "tuple[]"
          },
          {
            "internalType": "bool",
            "name": "givenFirst",
            "type": "bool"
          },
          {
            "internalType": "uint256",
            "name": "leastCallUsed",
            "type": "uint256"
          }
        ],
        "internalType": "struct CallGasProbe.Plan",
        "name": "plan",
        "type": "tuple"
      }
    ],
    "name": "measure",
    "outputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "moment",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "baseFee",
            "type": "uint256"
          },
          {
            "components": [
              {
                "internalType": "bool",
                "name": "success",
                "type": "bool"
              },
              {
                "internalType": "bytes",
                "name": "result",
                "type": "bytes"
              }
            ],
            "internalType": "struct CallGasProbe.Answer[]",
            "name": "answers",
            "type": "tuple[]"
          },
          {
            "internalType": "uint256",
            "name": "verificationLimit",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "verificationUsed",
            "type": "uint256"
          },
          {
            "internalType": "bool",
            "name": "narrowed",
            "type": "bool"
          },
          {
            "internalType": "bytes",
            "name": "verificationResult",
            "type": "bytes"
          },
          {
            "components": [
              {
                "internalType": "enum CallGasProbe.Step",
                "name": "failedStep",
                "type": "uint8"
              },
              {
                "internalType": "bool",
                "name": "executed",
                "type": "bool"
              },
              {
                "internalType": "uint256",
                "name": "executionLimit",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "executionUsed",
                "type": "uint256"
              },
              {
                "internalType": "bool",
                "name": "searched",
                "type": "bool"
              },
              {
                "internalType": "bool",
                "name": "hasPostOp",
                "type": "bool"
              },
              {
                "internalType": "bool",
                "name": "charged",
                "type": "bool"
              },
              {
                "internalType": "uint256",
                "name": "postOpLimit",
                "type": "uint256"
              },
              {
                "internalType": "bytes",
                "name": "revertData",
                "type": "bytes"
              },
              {
                "internalType": "bytes",
                "name": "postOpRevertData",
                "type": "bytes"
              },
              {
                "internalType": "uint256",
                "name": "tokenBalance",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "tokenAllowance",
                "type": "uint256"
              },
              {
                "internalType": "bytes",
                "name": "senderCode",
                "type": "bytes"
              },
              {
                "internalType": "bool",
                "name": "senderWasThere",
                "type": "bool"
              },
              {
                "internalType": "uint256",
                "name": "paymasterUsed",
                "type": "uint256"
              },
              {
                "internalType": "bool",
                "name": "givenTried",
                "type": "bool"
              },
              {
                "internalType": "bool",
                "name": "givenExecuted",
                "type": "bool"
              },
              {
                "internalType": "bytes",
                "name": "givenRevertData",
                "type": "bytes"
              }
            ],
            "internalType": "struct CallGasProbe.Outcome",
            "name": "outcome",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "bool",
                "name": "made",
                "type": "bool"
              },
              {
                "components": [
                  {
                    "internalType": "uint256",
                    "name": "call",
                    "type": "uint256"
                  },
                  {
                    "internalType": "uint256",
                    "name": "verification",
                    "type": "uint256"
                  },
                  {
                    "internalType": "uint256",
                    "name": "preVerification",
                    "type": "uint256"
                  },
                  {
                    "internalType": "uint256",
                    "name": "paymasterVerification",
                    "type": "uint256"
                  },
                  {
                    "internalType": "uint256",
                    "name": "postOp",
                    "type": "uint256"
                  }
                ],
                "internalType": "struct CallGasProbe.Limits",
                "name": "limits",
                "type": "tuple"
              },
              {
                "internalType": "bool",
                "name": "returned",
                "type": "bool"
              },
              {
                "internalType": "bytes",
                "name": "result",
                "type": "bytes"
              }
            ],
            "internalType": "struct CallGasProbe.Trial",
            "name": "own",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "bool",
                "name": "made",
                "type": "bool"
              },
              {
                "components": [
                  {
                    "internalType": "uint256",
                    "name": "call",
                    "type": "uint256"
                  },
                  {
                    "internalType": "uint256",
                    "name": "verification",
                    "type": "uint256"
                  },
                  {
                    "internalType": "uint256",
                    "name": "preVerification",
                    "type": "uint256"
                  },
                  {
                    "internalType": "uint256",
                    "name": "paymasterVerification",
                    "type": "uint256"
                  },
                  {
                    "internalType": "uint256",
                    "name": "postOp",
                    "type": "uint256"
                  }
                ],
                "internalType": "struct CallGasProbe.Limits",
                "name": "limits",
                "type": "tuple"
              },
              {
                "internalType": "bool",
                "name": "returned",
                "type": "bool"
              },
              {
                "internalType": "bytes",
                "name": "result",
                "type": "bytes"
              }
            ],
            "internalType": "struct CallGasProbe.Trial",
            "name": "given",
            "type": "tuple"
          },
          {
            "internalType": "bool",
            "name": "settled",
            "type": "bool"
          }
        ],
        "internalType": "struct CallGasProbe.Measured",
        "name": "measured",
        "type": "tuple"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "components": [
              {
                "internalType": "address",
                "name": "target",
                "type": "address"
              },
              {
                "internalType": "bytes",
                "name": "data",
                "type": "bytes"
              }
            ],
            "internalType": "struct CallGasProbe.Read[]",
            "name": "reads",
            "type": "tuple[]"
          },
          {
            "internalType": "bytes",
            "name": "operation",
            "type": "bytes"
          },
          {
            "internalType": "bool",
            "name": "isPacked",
            "type": "bool"
          },
          {
            "internalType": "bytes32",
            "name": "hash",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "maxCost",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "senderCreator",
            "type": "address"
          },
          {
            "internalType": "bytes",
            "name": "creation",
            "type": "bytes"
          },
          {
            "internalType": "address",
            "name": "sender",
            "type": "address"
          },
          {
            "internalType": "bool",
            "name": "takesWholeOperation",
            "type": "bool"
          },
          {
            "internalType": "address",
            "name": "paymaster",
            "type": "address"
          },
          {
            "internalType": "uint256[]",
            "name": "verificationCeilings",
            "type": "uint256[]"
          },
          {
            "internalType": "bool",
            "name": "alone",
            "type": "bool"
          },
          {
            "internalType": "uint256",
            "name": "verificationCeiling",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "paymasterOverhead",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "executionCeiling",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "postOpCeiling",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "feePerGas",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "rounds",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "postOpRounds",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "chargedOverhead",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "highestCost",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "bool",
            "name": "mayRevert",
            "type": "bool"
          },
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "verification",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "call",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "postOp",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "callAllowance",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "minCall",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "unmeasuredPostOp",
                "type": "uint256"
              }
            ],
            "internalType": "struct CallGasProbe.Margins",
            "name": "margins",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "call",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "verification",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "preVerification",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "paymasterVerification",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "postOp",
                "type": "uint256"
              }
            ],
            "internalType": "struct CallGasProbe.Limits[]",
            "name": "given",
            "type": "tuple[]"
          },
          {
            "internalType": "bool",
            "name": "givenFirst",
            "type": "bool"
          },
          {
            "internalType": "uint256",
            "name": "leastCallUsed",
            "type": "uint256"
          }
        ],
        "internalType": "struct CallGasProbe.Plan",
        "name": "plan",
        "type": "tuple"
      }
    ],
    "name": "run",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "components": [
              {
                "internalType": "address",
                "name": "target",
                "type": "address"
              },
              {
                "internalType": "bytes",
                "name": "data",
                "type": "bytes"
              }
            ],
            "internalType": "struct CallGasProbe.Read[]",
            "name": "reads",
            "type": "tuple[]"
          },
          {
            "internalType": "bytes",
            "name": "operation",
            "type": "bytes"
          },
          {
            "internalType": "bool",
            "name": "isPacked",
            "type": "bool"
          },
          {
            "internalType": "bytes32",
            "name": "hash",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "maxCost",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "senderCreator",
            "type": "address"
          },
          {
            "internalType": "bytes",
            "name": "creation",
            "type": "bytes"
          },
          {
            "internalType": "address",
            "name": "sender",
            "type": "address"
          },
          {
            "internalType": "bool",
            "name": "takesWholeOperation",
            "type": "bool"
          },
          {
            "internalType": "address",
            "name": "paymaster",
            "type": "address"
          },
          {
            "internalType": "uint256[]",
            "name": "verificationCeilings",
            "type": "uint256[]"
          },
          {
            "internalType": "bool",
            "name": "alone",
            "type": "bool"
          },
          {
            "internalType": "uint256",
            "name": "verificationCeiling",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "paymasterOverhead",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "executionCeiling",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "postOpCeiling",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "feePerGas",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "rounds",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "postOpRounds",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "chargedOverhead",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "highestCost",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "bool",
            "name": "mayRevert",
            "type": "bool"
          },
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "verification",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "call",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "postOp",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "callAllowance",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "minCall",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "unmeasuredPostOp",
                "type": "uint256"
              }
            ],
            "internalType": "struct CallGasProbe.Margins",
            "name": "margins",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "call",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "verification",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "preVerification",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "paymasterVerification",
                "type": "uint256"
              },
              {
                "internalType": "uint256",
                "name": "postOp",
                "type": "uint256"
              }
            ],
            "internalType": "struct CallGasProbe.Limits[]",
            "name": "given",
            "type": "tuple[]"
          },
          {
            "internalType": "bool",
            "name": "givenFirst",
            "type": "bool"
          },
          {
            "internalType": "uint256",
            "name": "leastCallUsed",
            "type": "uint256"
          }
        ],
        "internalType": "struct CallGasProbe.Plan",
        "name": "plan",
        "type": "tuple"
      }
    ],
    "name": "runGiven",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "stateMutability": "payable",
    "type": "receive"
  }
] as const;

export const callGasProbeCode =
  '0x6080604052600436106100595760003560e01c806326e38786146100705780635cda5bf81461009057806396f61e49146100c6578063bf48bcb6146100e6578063c2ab9dfe14610106578063fdbf7a7f1461013457610068565b3661006857610066610154565b005b610066610154565b34801561007c57600080fd5b5061006661008b36600461265a565b610182565b34801561009c57600080fd5b506100b06100ab36600461265a565b6101b5565b6040516100bd919061294f565b60405180910390f35b3480156100d257600080fd5b506100666100e136600461265a565b61049c565b3480156100f257600080fd5b50610066610101366004612a86565b6104a8565b34801561011257600080fd5b50610126610121366004612ade565b61054e565b6040516100bd929190612b30565b34801561014057600080fd5b5061006661014f366004612b4b565b6105bb565b6001633808fbf760811b013660008037600080366000845af43d6000803e8061017c573d6000fd5b503d6000f35b6101b261018e82610628565b60405160200161019e9190612ba4565b6040516020818303038152906040526106a1565b50565b6101bd6124f5565b6101c56106a9565b81524860208201526001633808fbf760811b013b6000036101e557919050565b6101ef8280612bb7565b90506001600160401b0381111561020857610208612c00565b60405190808252806020026020018201604052801561024e57816020015b6040805180820190915260008152606060208201528152602001906001900390816102265790505b50604082015260005b6102618380612bb7565b90508110156103765761031f6102778480612bb7565b8381811061028757610287612c16565b90506020028101906102999190612c2c565b6102a7906020810190612c4c565b622dc6c06102b58680612bb7565b858181106102c5576102c5612c16565b90506020028101906102d79190612c2c565b6102e5906020810190612c67565b8080601f01602080910402602001604051908101604052809392919081815260200183838082843760009201919091525061077592505050565b90508360400151838151811061033757610337612c16565b60200260200101516000018460400151848151811061035857610358612c16565b60209081029190910181015101919091529015159052600101610257565b506000610387610140840184612bb7565b905011156103c9576103a16103e083016103c08401612cc6565b156103b0576103b08282610833565b8061014001516103c4576103c482826109aa565b919050565b60006103d96103a0840184612ce3565b90501115610427576101208101516104279083906103fb6103a0830183612ce3565b600081811061040c5761040c612c16565b905060a002018036038101906104229190612d54565b610b51565b61043961018083016101608401612cc6565b6103c457610492306001600160a01b03166326e38786846040516024016104609190612fe7565b604051602081830303815290604052915060e01b6020820180516001600160e01b038381831617835250505050610cc5565b60e0820152919050565b6101b261018e82610d5c565b600082828080601f016020809104026020016040519081016040528093929190818152602001838380828437600092018290525084519495506060949093506001633808fbf760811b019250839150819060208701845af491503d61080081111561051257506108005b6040519350601f19603f8201168401604052808452806000602086013e50610546828460405160200161019e929190612b30565b505050505050565b60006060846001600160a01b0316848460405161056c929190613285565b6000604051808303816000865af19150503d80600081146105a9576040519150601f19603f3d011682016040523d82523d6000602084013e6105ae565b606091505b5091509150935093915050565b6000806000610601878787878080601f016020809104026020016040519081016040528093929190818152602001838380828437600092019190915250610e3792505050565b92509250925061061f83838360405160200161019e93929190613295565b50505050505050565b610630612566565b60008061063d8484610e89565b915091508161064d575050919050565b6000610659858561113e565b8251151560a08601529050808061067257508360200151155b801561067f57508360a001515b156106995761068e8585611389565b61069985838661149d565b505050919050565b805160208201fd5b6000438160643b1561071d5760646001600160a01b031663a3b1b31d6040518163ffffffff1660e01b8152600401602060405180830381865afa1580156106f4573d6000803e3d6000fd5b505050506040513d601f19601f8201168201806040525081019061071891906132b6565b610720565b60005b90508181811561073b576107356001856132e5565b4061073e565b60005b6040805160208101949094528301919091526060820152608001604051602081830303815290604052805190602001209250505090565b60405163fdbf7a7f60e01b81526000908190606090309063fdbf7a7f906107a4908990899089906004016132f8565b600060405180830381600087803b1580156107be57600080fd5b505af19250505080156107cf575060015b61082a573d8080156107fd576040519150601f19603f3d011682016040523d82523d6000602084013e610802565b606091505b506060815110610828578080602001905181019061082091906133ab565b919550935091505b505b93509350939050565b6101c08201356108476103a0840184612ce3565b600081811061085857610858612c16565b905060a002016000013511806108a857506108a661087a6103a0840184612ce3565b600081811061088b5761088b612c16565b905060a002018036038101906108a19190612d54565b6114fe565b155b156108b1575050565b6101208101516108cb9083906103fb6103a0830183612ce3565b6000806108dd84846101200151611551565b9150915081158061091c575061091a6108fa6103a0860186612ce3565b600081811061090b5761090b612c16565b905060a0020160000135611690565b155b156109275750505050565b600061094c306001600160a01b03166396f61e49876040516024016104609190612fe7565b9050806020015115806109675750846103e001358160600151105b15610973575050505050565b60e08401819052600160a085018190526101408501526080840182905261099b8583836116bd565b60609094019390935250505050565b60006109b68383611713565b905081606001516000036109c957505050565b6109db61018084016101608501612cc6565b610a2857610a02306001600160a01b03166326e38786856040516024016104609190612fe7565b60e08301819052516000906004811115610a1e57610a1e61275a565b14610a2857505050565b610a338383836117f0565b610a4561018084016101608501612cc6565b80610a5257508160a00151155b15610a5c57505050565b8160e0015160200151158015610a815750610a7f6102e084016102c08501612cc6565b155b15610a8b57505050565b6000610a978484611956565b9050610aa2816114fe565b610aac5750505050565b610abc8484610100015183610b51565b6101208301515180610adb5750610ad76103a0850185612ce3565b1590505b15610ae65750505050565b610b14610af76103a0860186612ce3565b6000818110610b0857610b08612c16565b905060a0020182611a8d565b8015610b2c5750610b2c61087a6103a0860186612ce3565b15610b4b57610120830151610b4b9085906103fb6103a0830183612ce3565b50505050565b602082018190526000610b6a6060850160408601612cc6565b610b7b5763358e0fe560e21b610b84565b6397b2dcb960e01b5b60606000610b956020880188612c67565b610ba191506060613404565b610bae6020890189612c67565b6000604051602001610bc69796959493929190613417565b6040516020818303038152906040529050610bf6846040016020810190610bed9190612cc6565b82606485611acd565b600183526040516000903090819063bf48bcb690610c18908690602401613450565b60408051601f198184030181529181526020820180516001600160e01b031660e09490941b939093179092529051610c509250613463565b600060405180830381855af49150503d8060008114610c8b576040519150601f19603f3d011682016040523d82523d6000602084013e610c90565b606091505b509150506040815110610cbe5780806020019051810190610cb19190613475565b6060860152151560408501525b5050505050565b610ccd612566565b6000306001600160a01b031683604051610ce79190613463565b6000604051808303816000865af19150503d8060008114610d24576040519150601f19603f3d011682016040523d82523d6000602084013e610d29565b606091505b50915050600081511115610d525780806020019051810190610d4b91906134d4565b9392505050565b5060048152919050565b610d64612566565b600080610d718484610e89565b8051151560a08601529092509050811580610d8d57508260a001515b15610d99575050919050565b6000610da485611bb0565b60016020860152805190915015610e0657610df8610dc9610100870160e08801612c4c565b610dd76103a0880188612ce3565b6000818110610de857610de8612c16565b905060a002016000013583610e37565b506060860152151560208501525b50505060608101516001608083018190526040830191909152602082015115156102008301526101e0820152919050565b60008060605a60008086516020880160008b8bf193505a900391503d610800811115610e6257506108005b6040519150601f19603f8201168201604052808252806000602084013e5093509350939050565b60006060808280610ea1610100880160e08901612c4c565b6001600160a01b03163b116101a08601526000610ec160c0880188612c67565b9050118015610f045750846101a001518015610f025750632b870d1b60e11b610eed60c0880188612c67565b610ef69161369a565b6001600160e01b031916145b155b15610fb057610f69610f1c60c0880160a08901612c4c565b610180880135610f2f60c08a018a612c67565b8080601f016020809104026020016040519081016040528093929190818152602001838380828437600092019190915250610e3792505050565b935090915050801580610f945750610f88610100870160e08801612c4c565b6001600160a01b03163b155b15610fb057610fa585600184611ccc565b935093505050611137565b610fc1610100870160e08801612c4c565b6001600160a01b0316803b806020016040519081016040528181526000908060200190933c6101808601526000610ffe6060880160408901612cc6565b61100f57633a871cdd60e01b611018565b6306608bdf60e21b5b905061104561102e610100890160e08a01612c4c565b8861018001356110408a856000611d1a565b610e37565b94509092508290506110695761105d86600285611ccc565b94509450505050611137565b600061107d61014089016101208a01612c4c565b6001600160a01b03161461112f5761109b6060880160408901612cc6565b6110ac57637a32e3bf60e11b6110b5565b6314add44b60e21b5b90506110e16110cc61014089016101208a01612c4c565b8861018001356110408a858c60800135611d1a565b6101c0890191909152935091508115806110fc575060608351105b156111175761110b8787611389565b61105d86600385611ccc565b8280602001905181019061112b91906136d2565b5093505b600194505050505b9250929050565b60008061114a84611bb0565b9050805160000361117c5750506001608082018190526020820181905261020082018190526101e08201819052611383565b6101c084013561118b81611690565b151560808501526111ad6111a6610100870160e08801612c4c565b8284610775565b61010087015260608601521515602085015260006111cf6103a0870187612ce3565b90501180156111e357506000856102200135115b156111f3576111f3858386611d5d565b836020015161120757600092505050611383565b6040840181905260608401516000622dc6c08211611226576000611231565b611231603f83613718565b61123a83611e35565b6112456001856132e5565b61124f9190613404565b6112599190613404565b9050610220870135801580159061126f57508382105b801561127f575061127f82611690565b156112e35761129f6112986101008a0160e08b01612c4c565b8387610e37565b509096505085156112b657604087018290526112e3565b6112dd6112ca6101008a0160e08b01612c4c565b8684876112d86001876132e5565b611e4e565b60408801525b60008115806112f55750848860400151105b806113005750848310155b905086158015611314575061131484611690565b1561133a5761133461132d6101008b0160e08c01612c4c565b8688610e37565b50909750505b8080156113445750865b151560808901528115801590611366575061135e89611f42565b886040015111155b1561137c57600161020089018190526101e08901525b5050505050505b92915050565b600061139d6102c084016102a08501612c4c565b6001600160a01b0316036113af575050565b61142b6113c46102c084016102a08501612c4c565b6370a0823160e01b6113dd610100860160e08701612c4c565b6040516001600160a01b0390911660248201526044015b60408051601f198184030181529190526020810180516001600160e01b03166001600160e01b031990931692909217909152611f8f565b6101408201526114936114466102c084016102a08501612c4c565b636eb1769f60e11b61145f610100860160e08701612c4c565b61147161014087016101208801612c4c565b6040516001600160a01b039283166024820152911660448201526064016113f4565b6101609091015250565b6114cd83610200013584610260013583606001516114bb9190613404565b6114c5919061373a565b848484611fce565b8060c0015180156114e357506000836102800135115b156114f9576114f9836102800135848484611fce565b505050565b6000611383620249f083608001516002611518919061373a565b60608501516020860151865161152e9190613404565b6115389190613404565b6115429190613404565b61154c9190613404565b611690565b606080820151602083015160009283929190839061157490880160408901612cc6565b61157f576004611582565b60205b60ff169050611592816040613404565b835110156115a95760008094509450505050611137565b6000826040015183608001518460600151856020015186600001516115ce9190613404565b6115d89190613404565b6115e29190613404565b6115ec9190613404565b90506115fe6060890160408a01612cc6565b61162357630116f59360e71b61161385613751565b6001600160e01b03191614611661565b8660400151801561166157506102008801351580611661575061164b6102008901358261373a565b61165f8561165a856020613404565b61214f565b105b95508515611685578260400151611678858461214f565b61168291906132e5565b94505b505050509250929050565b6000620249f06116a1601e84613718565b6116ab9084613404565b6116b59190613404565b5a1192915050565b6000806116d06060860160408701612cc6565b6116db5760006116f1565b846101a00135836101c001516116f19190613404565b9050808411611700578361170a565b61170a81856132e5565b95945050505050565b60008061171f84612183565b905060005b611732610140860186612bb7565b90508110156117e857600061174b610140870187612bb7565b8381811061175b5761175b612c16565b905060200201359050600061178387604001602081019061177c9190612cc6565b85846121eb565b60c0880152905080156117dd57606086018290526117a08761229a565b604001516117c48860400160208101906117ba9190612cc6565b8860c00151612409565b6117ce91906132e5565b60808701525061138392505050565b509250600101611724565b505092915050565b60006117fb84612183565b6060840151909150600061180f8686612440565b9050600061181c82611e35565b905082856102208901355b600081118015611847575061183b86611e35565b61184589886132e5565b115b1561192657878511158061185b5750858510155b1561187957600261186c878a613404565b6118769190613718565b94505b6118936118858b61229a565b6060015161154c9087613404565b156119265760006118b46118ad60608d0160408e01612cc6565b89886121eb565b50905080156118c5578596506118c9565b8598505b8387036118e1576118da858a613404565b9550611905565b828903611900578487116118f65760006118da565b6118da85886132e5565b600095505b61191060048661373a565b945050808061191e9061378f565b915050611827565b506060880185905261193785611e35565b61194188876132e5565b111560a0909801979097525050505050505050565b6119886040518060a0016040528060008152602001600081526020016000815260200160008152602001600081525090565b60e08201516102e0840161199b8561229a565b9250600082602001516119b25782606001516119b8565b82604001515b90506119e482606001356119d0838560200135612477565b6119da9190613404565b83608001356124b1565b845260608501516119f6908335612477565b602085015260e0830151600090611a11906040850135612477565b9050611a236060880160408901612cc6565b15611a4057611a368186608001516124b1565b6080860152611a83565b611a4e8560200151826124b1565b602086015260a08401518015611a6657508360c00151155b15611a8357611a7d85602001518460a001356124b1565b60208601525b5050505092915050565b805160009083351080611aa7575081602001518360200135105b80611ab9575081606001518360600135105b80610d4b5750506080908101519101351090565b83611b1f57611ae883611ae1846080613404565b83516124c7565b611b0183611af78460a0613404565b83602001516124c7565b611b1a83611b108460c0613404565b83604001516124c7565b610b4b565b611b3e83611b2e846080613404565b8351602085015160801b176124c7565b611b4d83611b108460a0613404565b6000611b5e8461165a8560e0613404565b611b689084613404565b90506034611b76858361214f565b1015611b825750610b4b565b610cbe84611b91836020613404565b611b9c906014613404565b846080015160808660600151901b176124c7565b6060366000611bc26020850185612c67565b9092509050611bd961012085016101008601612cc6565b15611c195760408051611c0191638dd7712f60e01b91606088013590869086906020016137a6565b60405160208183030381529060405292505050919050565b6000611c296080606084866137d7565b611c3291613801565b90506000838284611c44826020613404565b92611c51939291906137d7565b611c5a91613801565b90508383611c69846020613404565b9083611c76866020613404565b611c809190613404565b92611c8d939291906137d7565b8080601f016020809104026020016040519081016040528093929190818152602001838380828437600092019190915250929998505050505050505050565b6000606084846004811115611ce357611ce361275a565b90816004811115611cf657611cf661275a565b90525050506101009290920191909152506040805160208101909152600080825291565b606082818581013584611d306020890189612c67565b604051602001611d459695949392919061381f565b60405160208183030381529060405290509392505050565b8060200151611d7f5761010081015161022082015260016101e0909101525050565b6000611d8f6103a0850185612ce3565b6000818110611da057611da0612c16565b905060a00201600001359050611db98260600151611e35565b611dc490600261373a565b60088360600151611dd59190613718565b8360600151611de49190613404565b611dee9190613404565b8110611dfa5750505050565b60016101e0830152611e1d611e16610100860160e08701612c4c565b8285610775565b61022085015250151561020090920191909152505050565b6000611e4361010083613718565b6113839060c8613404565b816000622dc6c08511611e6957611e6485611e35565b611e74565b611e74601086613718565b905060005b600084118015611e995750611e8d83611e35565b611e9787856132e5565b115b15611f3757600081611eb457611eaf8388613404565b611eca565b6002611ec08589613404565b611eca9190613718565b90508581101580611ee15750611edf81611690565b155b15611eec5750611f37565b6000611ef98a838b610775565b505090508015611f1157909350600191508390611f23565b81611f1d85600461373a565b90985093505b85611f2d8161378f565b9650505050611e79565b505095945050505050565b6000611f526103a0830183612ce3565b159050611f8757611f676103a0830183612ce3565b6000818110611f7857611f78612c16565b905060a0020160000135611383565b600092915050565b6000806000611fa285620493e086610775565b9250509150818015611fb5575080516020145b156117e8578080602001905181019061170a91906132b6565b60008160200151611fe0576001611fe3565b60005b90506000611ff76060860160408701612cc6565b6120505760405163a9a2340960e01b9061201990849087908a90602401613857565b60408051601f198184030181529190526020810180516001600160e01b03166001600160e01b0319909316929092179091526120a8565b604051637c627b2160e01b9061207590849087908a906102008b013590602401613883565b60408051601f198184030181529190526020810180516001600160e01b03166001600160e01b0319909316929092179091525b905060006120cd6120c161014088016101208901612c4c565b876101e0013584610775565b61012087015290151560c086018190529091506120ec57505050610b4b565b600061212f61210361014089016101208a01612c4c565b846000851161211357600061211e565b61211e6001866132e5565b8a6101e001358b6102400135611e4e565b90508460e001518111156121455760e085018190525b5050505050505050565b600060208351108061216d57506020835161216a91906132e5565b82115b1561217a57506000611383565b50016020015190565b6060600061219683830160408501612cc6565b6121a75763ee21942360e01b6121b0565b63c3bce00960e01b5b90508060206121c185820186612c67565b6040516020016121d494939291906138b2565b604051602081830303815290604052915050919050565b60006060602485156122155761221085612206836080613404565b608087901b6124c7565b61222a565b61222a856122248360a0613404565b866124c7565b612235305a87610775565b919450909250508215801561224c57506004825110155b1561229157600061225c83613751565b90506001600160e01b0319811663e0cff05f60e01b148061228d57506001600160e01b03198116633ebb2d3960e21b145b9350505b50935093915050565b6122cc6040518060a0016040528060008152602001600081526020016000815260200160008152602001600081525090565b3660006122dc6020850185612c67565b90925090506122f16060850160408601612cc6565b6123085761230360e060c083856137d7565b612316565b61231660c060a083856137d7565b61231f91613801565b6040808501919091526123389060608601908601612cc6565b158061235e5750600061235361014086016101208701612c4c565b6001600160a01b0316145b1561236a575050919050565b600061237b61010060e084866137d7565b61238491613801565b61238f906020613404565b61239a906014613404565b90508281836123aa826010613404565b926123b7939291906137d7565b6123c0916138de565b60801c606085015282826123d5836010613404565b906123e1846020613404565b926123ee939291906137d7565b6123f7916138de565b608090811c9085015250919392505050565b6000808361241857600461241b565b60205b60ff1690506124388361242e858461214f565b61165a9084613404565b949350505050565b60006124558383608001518460e001516116bd565b9050622dc6c08111156113835761246d603f82613718565b610d4b9082613404565b6000612710600181612489858761373a565b6124939190613404565b61249d91906132e5565b6124a79190613718565b610d4b9084613404565b60008183116124c05781610d4b565b5090919050565b6020835110806124e35750602083516124e091906132e5565b82115b156124ed57505050565b910160200152565b60405180610160016040528060008019168152602001600081526020016060815260200160008152602001600081526020016000151581526020016060815260200161253f612566565b815260200161254c612600565b8152602001612559612600565b8152600060209091015290565b6040805161024081019091528060008152602001600015158152602001600081526020016000815260200160001515815260200160001515815260200160001515815260200160008152602001606081526020016060815260200160008152602001600081526020016060815260200160001515815260200160008152602001600015158152602001600015158152602001606081525090565b60405180608001604052806000151581526020016126466040518060a0016040528060008152602001600081526020016000815260200160008152602001600081525090565b815260006020820152606060409091015290565b60006020828403121561266c57600080fd5b81356001600160401b0381111561268257600080fd5b82016104008185031215610d4b57600080fd5b60005b838110156126b0578181015183820152602001612698565b50506000910152565b600081518084526126d1816020860160208601612695565b601f01601f19169290920160200192915050565b600082825180855260208501945060208160051b8301016020850160005b8381101561274e57601f198584030188528151805115158452602081015190506040602085015261273760408501826126b9565b6020998a0199909450929092019150600101612703565b50909695505050505050565b634e487b7160e01b600052602160045260246000fd5b6005811061278e57634e487b7160e01b600052602160045260246000fd5b9052565b61279d828251612770565b600060208201516127b2602085018215159052565b50604082015160408401526060820151606084015260808201516127da608085018215159052565b5060a08201516127ee60a085018215159052565b5060c082015161280260c085018215159052565b5060e082015160e084015261010082015161024061010085015261282a6102408501826126b9565b905061012083015184820361012086015261284582826126b9565b91505061014083015161014085015261016083015161016085015261018083015184820361018086015261287982826126b9565b9150506101a08301516128916101a086018215159052565b506101c08301516101c08501526101e08301516128b36101e086018215159052565b506102008301516128c961020086018215159052565b5061022083015184820361022086015261170a82826126b9565b8051151582526000602082015180516020850152602081015160408501526040810151606085015260608101516080850152608081015160a085015250604082015161293360c085018215159052565b50606082015161010060e08501526124386101008501826126b9565b6020815281516020820152602082015160408201526000604083015161016060608401526129816101808401826126e5565b905060608401516080840152608084015160a084015260a08401516129aa60c085018215159052565b5060c0840151838203601f190160e08501526129c682826126b9565b91505060e0840151601f19848303016101008501526129e58282612792565b915050610100840151601f1984830301610120850152612a0582826128e3565b915050610120840151601f1984830301610140850152612a2582826128e3565b915050610140840151612a3d61016085018215159052565b509392505050565b60008083601f840112612a5757600080fd5b5081356001600160401b03811115612a6e57600080fd5b60208301915083602082850101111561113757600080fd5b60008060208385031215612a9957600080fd5b82356001600160401b03811115612aaf57600080fd5b612abb85828601612a45565b90969095509350505050565b80356001600160a01b03811681146103c457600080fd5b600080600060408486031215612af357600080fd5b612afc84612ac7565b925060208401356001600160401b03811115612b1757600080fd5b612b2386828701612a45565b9497909650939450505050565b821515815260406020820152600061243860408301846126b9565b60008060008060608587031215612b6157600080fd5b612b6a85612ac7565b93506020850135925060408501356001600160401b03811115612b8c57600080fd5b612b9887828801612a45565b95989497509550505050565b602081526000610d4b6020830184612792565b6000808335601e19843603018112612bce57600080fd5b8301803591506001600160401b03821115612be857600080fd5b6020019150600581901b360382131561113757600080fd5b634e487b7160e01b600052604160045260246000fd5b634e487b7160e01b600052603260045260246000fd5b60008235603e19833603018112612c4257600080fd5b9190910192915050565b600060208284031215612c5e57600080fd5b610d4b82612ac7565b6000808335601e19843603018112612c7e57600080fd5b8301803591506001600160401b03821115612c9857600080fd5b60200191503681900382131561113757600080fd5b80151581146101b257600080fd5b80356103c481612cad565b600060208284031215612cd857600080fd5b8135610d4b81612cad565b6000808335601e19843603018112612cfa57600080fd5b8301803591506001600160401b03821115612d1457600080fd5b602001915060a08102360382131561113757600080fd5b60405161024081016001600160401b0381118282101715612d4e57612d4e612c00565b60405290565b600060a0828403128015612d6757600080fd5b5060405160009060a081016001600160401b0381118282101715612d8d57612d8d612c00565b6040908152843582526020808601359083015284810135908201526060808501359082015260809384013593810193909352509092915050565b6000808335601e19843603018112612dde57600080fd5b83016020810192503590506001600160401b03811115612dfd57600080fd5b8060051b360382131561113757600080fd5b6000808335601e19843603018112612e2657600080fd5b83016020810192503590506001600160401b03811115612e4557600080fd5b80360382131561113757600080fd5b81835281816020850137506000828201602090810191909152601f909101601f19169091010190565b60008383855260208501945060208460051b8201018360005b8681101561274e57838303601f19018852813536879003603e19018112612ebc57600080fd5b86016001600160a01b03612ecf82612ac7565b168452612edf6020820182612e0f565b915060406020860152612ef6604086018383612e54565b60209a8b019a90955093909301925050600101612e96565b81835260006001600160fb1b03831115612f2757600080fd5b8260051b80836020870137939093016020019392505050565b6000808335601e19843603018112612f5757600080fd5b83016020810192503590506001600160401b03811115612f7657600080fd5b60a08102360382131561113757600080fd5b81835260208301925060008160005b84811015612fdd57813586526020808301359087015260408083013590870152606080830135908701526080808301359087015260a09586019590910190600101612f97565b5093949350505050565b602081526000612ff78384612dc7565b610400602085015261300e61042085018284612e7d565b91505061301e6020850185612e0f565b848303601f19016040860152613035838284612e54565b9250505061304560408501612cbb565b801515606085015250606084013560808481019190915284013560a080850191909152613073908501612ac7565b6001600160a01b03811660c08501525061309060c0850185612e0f565b848303601f190160e08601526130a7838284612e54565b925050506130b760e08501612ac7565b6001600160a01b038116610100850152506130d56101008501612cbb565b801515610120850152506130ec6101208501612ac7565b6001600160a01b0381166101408501525061310b610140850185612dc7565b848303601f1901610160860152613123838284612f0e565b925050506131346101608501612cbb565b801515610180850152506101808401356101a0848101919091528401356101c0808501919091528401356101e08085019190915284013561020080850191909152840135610220808501919091528401356102408085019190915284013561026080850191909152840135610280808501919091528401356102a0808501919091526131c1908501612ac7565b6001600160a01b0381166102c0850152506131df6102c08501612cbb565b8015156102e08501525061322d61030084016102e08601803582526020808201359083015260408082013590830152606080820135908301526080808201359083015260a090810135910152565b61323b6103a0850185612f40565b848303601f19016103c0860152613253838284612f88565b925050506132646103c08501612cbb565b8015156103e0850152506103e0939093013561040092909201919091525090565b8183823760009101908152919050565b831515815282602082015260606040820152600061170a60608301846126b9565b6000602082840312156132c857600080fd5b5051919050565b634e487b7160e01b600052601160045260246000fd5b81810381811115611383576113836132cf565b60018060a01b038416815282602082015260606040820152600061170a60608301846126b9565b80516103c481612cad565b600082601f83011261333b57600080fd5b81516001600160401b0381111561335457613354612c00565b604051601f8201601f19908116603f011681016001600160401b038111828210171561338257613382612c00565b60405281815283820160200185101561339a57600080fd5b612438826020830160208701612695565b6000806000606084860312156133c057600080fd5b83516133cb81612cad565b6020850151604086015191945092506001600160401b038111156133ee57600080fd5b6133fa8682870161332a565b9150509250925092565b80820180821115611383576113836132cf565b63ffffffff60e01b8816815286600482015285602482015284604482015282846064830137606492019182015260840195945050505050565b602081526000610d4b60208301846126b9565b60008251612c42818460208701612695565b6000806040838503121561348857600080fd5b825161349381612cad565b60208401519092506001600160401b038111156134af57600080fd5b6134bb8582860161332a565b9150509250929050565b8051600581106103c457600080fd5b6000602082840312156134e657600080fd5b81516001600160401b038111156134fc57600080fd5b8201610240818503121561350f57600080fd5b613517612d2b565b613520826134c5565b815261352e6020830161331f565b602082015260408281015190820152606080830151908201526135536080830161331f565b608082015261356460a0830161331f565b60a082015261357560c0830161331f565b60c082015260e082810151908201526101008201516001600160401b0381111561359e57600080fd5b6135aa8682850161332a565b610100830152506101208201516001600160401b038111156135cb57600080fd5b6135d78682850161332a565b61012083015250610140828101519082015261016080830151908201526101808201516001600160401b0381111561360e57600080fd5b61361a8682850161332a565b6101808301525061362e6101a0830161331f565b6101a08201526101c0828101519082015261364c6101e0830161331f565b6101e082015261365f610200830161331f565b6102008201526102208201516001600160401b0381111561367f57600080fd5b61368b8682850161332a565b61022083015250949350505050565b80356001600160e01b031981169060048410156136cb576001600160e01b0319600485900360031b81901b82161691505b5092915050565b600080604083850312156136e557600080fd5b82516001600160401b038111156136fb57600080fd5b6137078582860161332a565b602094909401519395939450505050565b60008261373557634e487b7160e01b600052601260045260246000fd5b500490565b8082028115828204841417611383576113836132cf565b805160208201516001600160e01b0319811691906004821015613788576001600160e01b0319600483900360031b81901b82161692505b5050919050565b60008161379e5761379e6132cf565b506000190190565b63ffffffff60e01b861681528460048201528360248201528183604483013760009101604401908152949350505050565b600080858511156137e757600080fd5b838611156137f457600080fd5b5050820193919092039150565b8035602083101561138357600019602084900360031b1b1692915050565b63ffffffff60e01b87168152856004820152846024820152836044820152818360648301376000910160640190815295945050505050565b60ff8416815260606020820152600061387360608301856126b9565b9050826040830152949350505050565b60ff8516815260806020820152600061389f60808301866126b9565b6040830194909452506060015292915050565b6001600160e01b0319851681526004810184905281836024830137600091016024019081529392505050565b80356001600160801b031981169060108410156136cb576001600160801b031960109490940360031b84901b169092169291505056';
