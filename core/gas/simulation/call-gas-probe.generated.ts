// Made from call-gas-probe.sol by tools/compile-solidity.ts. Do not edit.
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
  '0x6080604052600436106100595760003560e01c806326e38786146100705780635cda5bf81461009057806396f61e49146100c6578063bf48bcb6146100e6578063c2ab9dfe14610106578063fdbf7a7f1461013457610068565b3661006857610066610154565b005b610066610154565b34801561007c57600080fd5b5061006661008b36600461266f565b610182565b34801561009c57600080fd5b506100b06100ab36600461266f565b6101b5565b6040516100bd9190612964565b60405180910390f35b3480156100d257600080fd5b506100666100e136600461266f565b61049c565b3480156100f257600080fd5b50610066610101366004612a9b565b6104a8565b34801561011257600080fd5b50610126610121366004612af3565b61054e565b6040516100bd929190612b45565b34801561014057600080fd5b5061006661014f366004612b60565b6105bb565b6001633808fbf760811b013660008037600080366000845af43d6000803e8061017c573d6000fd5b503d6000f35b6101b261018e82610628565b60405160200161019e9190612bb9565b6040516020818303038152906040526106a1565b50565b6101bd61250a565b6101c56106a9565b81524860208201526001633808fbf760811b013b6000036101e557919050565b6101ef8280612bcc565b90506001600160401b0381111561020857610208612c15565b60405190808252806020026020018201604052801561024e57816020015b6040805180820190915260008152606060208201528152602001906001900390816102265790505b50604082015260005b6102618380612bcc565b90508110156103765761031f6102778480612bcc565b8381811061028757610287612c2b565b90506020028101906102999190612c41565b6102a7906020810190612c61565b622dc6c06102b58680612bcc565b858181106102c5576102c5612c2b565b90506020028101906102d79190612c41565b6102e5906020810190612c7c565b8080601f01602080910402602001604051908101604052809392919081815260200183838082843760009201919091525061077592505050565b90508360400151838151811061033757610337612c2b565b60200260200101516000018460400151848151811061035857610358612c2b565b60209081029190910181015101919091529015159052600101610257565b506000610387610140840184612bcc565b905011156103c9576103a16103e083016103c08401612cdb565b156103b0576103b08282610833565b8061014001516103c4576103c482826109aa565b919050565b60006103d96103a0840184612cf8565b90501115610427576101208101516104279083906103fb6103a0830183612cf8565b600081811061040c5761040c612c2b565b905060a002018036038101906104229190612d69565b610b51565b61043961018083016101608401612cdb565b6103c457610492306001600160a01b03166326e38786846040516024016104609190612ffc565b604051602081830303815290604052915060e01b6020820180516001600160e01b038381831617835250505050610cc5565b60e0820152919050565b6101b261018e82610d5c565b600082828080601f016020809104026020016040519081016040528093929190818152602001838380828437600092018290525084519495506060949093506001633808fbf760811b019250839150819060208701845af491503d61080081111561051257506108005b6040519350601f19603f8201168401604052808452806000602086013e50610546828460405160200161019e929190612b45565b505050505050565b60006060846001600160a01b0316848460405161056c92919061329a565b6000604051808303816000865af19150503d80600081146105a9576040519150601f19603f3d011682016040523d82523d6000602084013e6105ae565b606091505b5091509150935093915050565b6000806000610601878787878080601f016020809104026020016040519081016040528093929190818152602001838380828437600092019190915250610e3792505050565b92509250925061061f83838360405160200161019e939291906132aa565b50505050505050565b61063061257b565b60008061063d8484610e89565b915091508161064d575050919050565b6000610659858561113e565b8251151560a08601529050808061067257508360200151155b801561067f57508360a001515b156106995761068e8585611389565b61069985838661149d565b505050919050565b805160208201fd5b6000438160643b1561071d5760646001600160a01b031663a3b1b31d6040518163ffffffff1660e01b8152600401602060405180830381865afa1580156106f4573d6000803e3d6000fd5b505050506040513d601f19601f8201168201806040525081019061071891906132cb565b610720565b60005b90508181811561073b576107356001856132fa565b4061073e565b60005b6040805160208101949094528301919091526060820152608001604051602081830303815290604052805190602001209250505090565b60405163fdbf7a7f60e01b81526000908190606090309063fdbf7a7f906107a49089908990899060040161330d565b600060405180830381600087803b1580156107be57600080fd5b505af19250505080156107cf575060015b61082a573d8080156107fd576040519150601f19603f3d011682016040523d82523d6000602084013e610802565b606091505b506060815110610828578080602001905181019061082091906133c0565b919550935091505b505b93509350939050565b6101c08201356108476103a0840184612cf8565b600081811061085857610858612c2b565b905060a002016000013511806108a857506108a661087a6103a0840184612cf8565b600081811061088b5761088b612c2b565b905060a002018036038101906108a19190612d69565b6114fe565b155b156108b1575050565b6101208101516108cb9083906103fb6103a0830183612cf8565b6000806108dd84846101200151611551565b9150915081158061091c575061091a6108fa6103a0860186612cf8565b600081811061090b5761090b612c2b565b905060a0020160000135611690565b155b156109275750505050565b600061094c306001600160a01b03166396f61e49876040516024016104609190612ffc565b9050806020015115806109675750846103e001358160600151105b15610973575050505050565b60e08401819052600160a085018190526101408501526080840182905261099b8583836116d2565b60609094019390935250505050565b60006109b68383611728565b905081606001516000036109c957505050565b6109db61018084016101608501612cdb565b610a2857610a02306001600160a01b03166326e38786856040516024016104609190612ffc565b60e08301819052516000906004811115610a1e57610a1e61276f565b14610a2857505050565b610a33838383611805565b610a4561018084016101608501612cdb565b80610a5257508160a00151155b15610a5c57505050565b8160e0015160200151158015610a815750610a7f6102e084016102c08501612cdb565b155b15610a8b57505050565b6000610a97848461196b565b9050610aa2816114fe565b610aac5750505050565b610abc8484610100015183610b51565b6101208301515180610adb5750610ad76103a0850185612cf8565b1590505b15610ae65750505050565b610b14610af76103a0860186612cf8565b6000818110610b0857610b08612c2b565b905060a0020182611aa2565b8015610b2c5750610b2c61087a6103a0860186612cf8565b15610b4b57610120830151610b4b9085906103fb6103a0830183612cf8565b50505050565b602082018190526000610b6a6060850160408601612cdb565b610b7b5763358e0fe560e21b610b84565b6397b2dcb960e01b5b60606000610b956020880188612c7c565b610ba191506060613419565b610bae6020890189612c7c565b6000604051602001610bc6979695949392919061342c565b6040516020818303038152906040529050610bf6846040016020810190610bed9190612cdb565b82606485611ae2565b600183526040516000903090819063bf48bcb690610c18908690602401613465565b60408051601f198184030181529181526020820180516001600160e01b031660e09490941b939093179092529051610c509250613478565b600060405180830381855af49150503d8060008114610c8b576040519150601f19603f3d011682016040523d82523d6000602084013e610c90565b606091505b509150506040815110610cbe5780806020019051810190610cb1919061348a565b6060860152151560408501525b5050505050565b610ccd61257b565b6000306001600160a01b031683604051610ce79190613478565b6000604051808303816000865af19150503d8060008114610d24576040519150601f19603f3d011682016040523d82523d6000602084013e610d29565b606091505b50915050600081511115610d525780806020019051810190610d4b91906134e9565b9392505050565b5060048152919050565b610d6461257b565b600080610d718484610e89565b8051151560a08601529092509050811580610d8d57508260a001515b15610d99575050919050565b6000610da485611bc5565b60016020860152805190915015610e0657610df8610dc9610100870160e08801612c61565b610dd76103a0880188612cf8565b6000818110610de857610de8612c2b565b905060a002016000013583610e37565b506060860152151560208501525b50505060608101516001608083018190526040830191909152602082015115156102008301526101e0820152919050565b60008060605a60008086516020880160008b8bf193505a900391503d610800811115610e6257506108005b6040519150601f19603f8201168201604052808252806000602084013e5093509350939050565b60006060808280610ea1610100880160e08901612c61565b6001600160a01b03163b116101a08601526000610ec160c0880188612c7c565b9050118015610f045750846101a001518015610f025750632b870d1b60e11b610eed60c0880188612c7c565b610ef6916136af565b6001600160e01b031916145b155b15610fb057610f69610f1c60c0880160a08901612c61565b610180880135610f2f60c08a018a612c7c565b8080601f016020809104026020016040519081016040528093929190818152602001838380828437600092019190915250610e3792505050565b935090915050801580610f945750610f88610100870160e08801612c61565b6001600160a01b03163b155b15610fb057610fa585600184611ce1565b935093505050611137565b610fc1610100870160e08801612c61565b6001600160a01b0316803b806020016040519081016040528181526000908060200190933c6101808601526000610ffe6060880160408901612cdb565b61100f57633a871cdd60e01b611018565b6306608bdf60e21b5b905061104561102e610100890160e08a01612c61565b8861018001356110408a856000611d2f565b610e37565b94509092508290506110695761105d86600285611ce1565b94509450505050611137565b600061107d61014089016101208a01612c61565b6001600160a01b03161461112f5761109b6060880160408901612cdb565b6110ac57637a32e3bf60e11b6110b5565b6314add44b60e21b5b90506110e16110cc61014089016101208a01612c61565b8861018001356110408a858c60800135611d2f565b6101c0890191909152935091508115806110fc575060608351105b156111175761110b8787611389565b61105d86600385611ce1565b8280602001905181019061112b91906136e7565b5093505b600194505050505b9250929050565b60008061114a84611bc5565b9050805160000361117c5750506001608082018190526020820181905261020082018190526101e08201819052611383565b6101c084013561118b81611690565b151560808501526111ad6111a6610100870160e08801612c61565b8284610775565b61010087015260608601521515602085015260006111cf6103a0870187612cf8565b90501180156111e357506000856102200135115b156111f3576111f3858386611d72565b836020015161120757600092505050611383565b6040840181905260608401516000622dc6c08211611226576000611231565b611231603f8361372d565b61123a83611e4a565b6112456001856132fa565b61124f9190613419565b6112599190613419565b9050610220870135801580159061126f57508382105b801561127f575061127f82611690565b156112e35761129f6112986101008a0160e08b01612c61565b8387610e37565b509096505085156112b657604087018290526112e3565b6112dd6112ca6101008a0160e08b01612c61565b8684876112d86001876132fa565b611e63565b60408801525b60008115806112f55750848860400151105b806113005750848310155b905086158015611314575061131484611690565b1561133a5761133461132d6101008b0160e08c01612c61565b8688610e37565b50909750505b8080156113445750865b151560808901528115801590611366575061135e89611f57565b886040015111155b1561137c57600161020089018190526101e08901525b5050505050505b92915050565b600061139d6102c084016102a08501612c61565b6001600160a01b0316036113af575050565b61142b6113c46102c084016102a08501612c61565b6370a0823160e01b6113dd610100860160e08701612c61565b6040516001600160a01b0390911660248201526044015b60408051601f198184030181529190526020810180516001600160e01b03166001600160e01b031990931692909217909152611fa4565b6101408201526114936114466102c084016102a08501612c61565b636eb1769f60e11b61145f610100860160e08701612c61565b61147161014087016101208801612c61565b6040516001600160a01b039283166024820152911660448201526064016113f4565b6101609091015250565b6114cd83610200013584610260013583606001516114bb9190613419565b6114c5919061374f565b848484611fe3565b8060c0015180156114e357506000836102800135115b156114f9576114f9836102800135848484611fe3565b505050565b6000611383620249f083608001516002611518919061374f565b60608501516020860151865161152e9190613419565b6115389190613419565b6115429190613419565b61154c9190613419565b611690565b606080820151602083015160009283929190839061157490880160408901612cdb565b61157f576004611582565b60205b60ff169050611592816040613419565b835110156115a95760008094509450505050611137565b6000826040015183608001518460600151856020015186600001516115ce9190613419565b6115d89190613419565b6115e29190613419565b6115ec9190613419565b90506115fe6060890160408a01612cdb565b61162357630116f59360e71b61161385613766565b6001600160e01b03191614611661565b8660400151801561166157506102008801351580611661575061164b6102008901358261374f565b61165f8561165a856020613419565b612164565b105b955085156116855782604001516116788584612164565b61168291906132fa565b94505b505050509250929050565b6000620249f06064303b106116a657601e6116a9565b600f5b6116b69060ff168461372d565b6116c09084613419565b6116ca9190613419565b5a1192915050565b6000806116e56060860160408701612cdb565b6116f0576000611706565b846101a00135836101c001516117069190613419565b9050808411611715578361171f565b61171f81856132fa565b95945050505050565b60008061173484612198565b905060005b611747610140860186612bcc565b90508110156117fd576000611760610140870187612bcc565b8381811061177057611770612c2b565b90506020020135905060006117988760400160208101906117919190612cdb565b8584612200565b60c0880152905080156117f257606086018290526117b5876122af565b604001516117d98860400160208101906117cf9190612cdb565b8860c0015161241e565b6117e391906132fa565b60808701525061138392505050565b509250600101611739565b505092915050565b600061181084612198565b606084015190915060006118248686612455565b9050600061183182611e4a565b905082856102208901355b60008111801561185c575061185086611e4a565b61185a89886132fa565b115b1561193b5787851115806118705750858510155b1561188e576002611881878a613419565b61188b919061372d565b94505b6118a861189a8b6122af565b6060015161154c9087613419565b1561193b5760006118c96118c260608d0160408e01612cdb565b8988612200565b50905080156118da578596506118de565b8598505b8387036118f6576118ef858a613419565b955061191a565b8289036119155784871161190b5760006118ef565b6118ef85886132fa565b600095505b61192560048661374f565b9450508080611933906137a4565b91505061183c565b506060880185905261194c85611e4a565b61195688876132fa565b111560a0909801979097525050505050505050565b61199d6040518060a0016040528060008152602001600081526020016000815260200160008152602001600081525090565b60e08201516102e084016119b0856122af565b9250600082602001516119c75782606001516119cd565b82604001515b90506119f982606001356119e583856020013561248c565b6119ef9190613419565b83608001356124c6565b84526060850151611a0b90833561248c565b602085015260e0830151600090611a2690604085013561248c565b9050611a386060880160408901612cdb565b15611a5557611a4b8186608001516124c6565b6080860152611a98565b611a638560200151826124c6565b602086015260a08401518015611a7b57508360c00151155b15611a9857611a9285602001518460a001356124c6565b60208601525b5050505092915050565b805160009083351080611abc575081602001518360200135105b80611ace575081606001518360600135105b80610d4b5750506080908101519101351090565b83611b3457611afd83611af6846080613419565b83516124dc565b611b1683611b0c8460a0613419565b83602001516124dc565b611b2f83611b258460c0613419565b83604001516124dc565b610b4b565b611b5383611b43846080613419565b8351602085015160801b176124dc565b611b6283611b258460a0613419565b6000611b738461165a8560e0613419565b611b7d9084613419565b90506034611b8b8583612164565b1015611b975750610b4b565b610cbe84611ba6836020613419565b611bb1906014613419565b846080015160808660600151901b176124dc565b6060366000611bd76020850185612c7c565b9092509050611bee61012085016101008601612cdb565b15611c2e5760408051611c1691638dd7712f60e01b91606088013590869086906020016137bb565b60405160208183030381529060405292505050919050565b6000611c3e6080606084866137ec565b611c4791613816565b90506000838284611c59826020613419565b92611c66939291906137ec565b611c6f91613816565b90508383611c7e846020613419565b9083611c8b866020613419565b611c959190613419565b92611ca2939291906137ec565b8080601f016020809104026020016040519081016040528093929190818152602001838380828437600092019190915250929998505050505050505050565b6000606084846004811115611cf857611cf861276f565b90816004811115611d0b57611d0b61276f565b90525050506101009290920191909152506040805160208101909152600080825291565b606082818581013584611d456020890189612c7c565b604051602001611d5a96959493929190613834565b60405160208183030381529060405290509392505050565b8060200151611d945761010081015161022082015260016101e0909101525050565b6000611da46103a0850185612cf8565b6000818110611db557611db5612c2b565b905060a00201600001359050611dce8260600151611e4a565b611dd990600261374f565b60088360600151611dea919061372d565b8360600151611df99190613419565b611e039190613419565b8110611e0f5750505050565b60016101e0830152611e32611e2b610100860160e08701612c61565b8285610775565b61022085015250151561020090920191909152505050565b6000611e586101008361372d565b6113839060c8613419565b816000622dc6c08511611e7e57611e7985611e4a565b611e89565b611e8960108661372d565b905060005b600084118015611eae5750611ea283611e4a565b611eac87856132fa565b115b15611f4c57600081611ec957611ec48388613419565b611edf565b6002611ed58589613419565b611edf919061372d565b90508581101580611ef65750611ef481611690565b155b15611f015750611f4c565b6000611f0e8a838b610775565b505090508015611f2657909350600191508390611f38565b81611f3285600461374f565b90985093505b85611f42816137a4565b9650505050611e8e565b505095945050505050565b6000611f676103a0830183612cf8565b159050611f9c57611f7c6103a0830183612cf8565b6000818110611f8d57611f8d612c2b565b905060a0020160000135611383565b600092915050565b6000806000611fb785620493e086610775565b9250509150818015611fca575080516020145b156117fd578080602001905181019061171f91906132cb565b60008160200151611ff5576001611ff8565b60005b9050600061200c6060860160408701612cdb565b6120655760405163a9a2340960e01b9061202e90849087908a9060240161386c565b60408051601f198184030181529190526020810180516001600160e01b03166001600160e01b0319909316929092179091526120bd565b604051637c627b2160e01b9061208a90849087908a906102008b013590602401613898565b60408051601f198184030181529190526020810180516001600160e01b03166001600160e01b0319909316929092179091525b905060006120e26120d661014088016101208901612c61565b876101e0013584610775565b61012087015290151560c0860181905290915061210157505050610b4b565b600061214461211861014089016101208a01612c61565b8460008511612128576000612133565b6121336001866132fa565b8a6101e001358b6102400135611e63565b90508460e0015181111561215a5760e085018190525b5050505050505050565b600060208351108061218257506020835161217f91906132fa565b82115b1561218f57506000611383565b50016020015190565b606060006121ab83830160408501612cdb565b6121bc5763ee21942360e01b6121c5565b63c3bce00960e01b5b90508060206121d685820186612c7c565b6040516020016121e994939291906138c7565b604051602081830303815290604052915050919050565b600060606024851561222a576122258561221b836080613419565b608087901b6124dc565b61223f565b61223f856122398360a0613419565b866124dc565b61224a305a87610775565b919450909250508215801561226157506004825110155b156122a657600061227183613766565b90506001600160e01b0319811663e0cff05f60e01b14806122a257506001600160e01b03198116633ebb2d3960e21b145b9350505b50935093915050565b6122e16040518060a0016040528060008152602001600081526020016000815260200160008152602001600081525090565b3660006122f16020850185612c7c565b90925090506123066060850160408601612cdb565b61231d5761231860e060c083856137ec565b61232b565b61232b60c060a083856137ec565b61233491613816565b60408085019190915261234d9060608601908601612cdb565b15806123735750600061236861014086016101208701612c61565b6001600160a01b0316145b1561237f575050919050565b600061239061010060e084866137ec565b61239991613816565b6123a4906020613419565b6123af906014613419565b90508281836123bf826010613419565b926123cc939291906137ec565b6123d5916138f3565b60801c606085015282826123ea836010613419565b906123f6846020613419565b92612403939291906137ec565b61240c916138f3565b608090811c9085015250919392505050565b6000808361242d576004612430565b60205b60ff16905061244d836124438584612164565b61165a9084613419565b949350505050565b600061246a8383608001518460e001516116d2565b9050622dc6c081111561138357612482603f8261372d565b610d4b9082613419565b600061271060018161249e858761374f565b6124a89190613419565b6124b291906132fa565b6124bc919061372d565b610d4b9084613419565b60008183116124d55781610d4b565b5090919050565b6020835110806124f85750602083516124f591906132fa565b82115b1561250257505050565b910160200152565b60405180610160016040528060008019168152602001600081526020016060815260200160008152602001600081526020016000151581526020016060815260200161255461257b565b8152602001612561612615565b815260200161256e612615565b8152600060209091015290565b6040805161024081019091528060008152602001600015158152602001600081526020016000815260200160001515815260200160001515815260200160001515815260200160008152602001606081526020016060815260200160008152602001600081526020016060815260200160001515815260200160008152602001600015158152602001600015158152602001606081525090565b604051806080016040528060001515815260200161265b6040518060a0016040528060008152602001600081526020016000815260200160008152602001600081525090565b815260006020820152606060409091015290565b60006020828403121561268157600080fd5b81356001600160401b0381111561269757600080fd5b82016104008185031215610d4b57600080fd5b60005b838110156126c55781810151838201526020016126ad565b50506000910152565b600081518084526126e68160208601602086016126aa565b601f01601f19169290920160200192915050565b600082825180855260208501945060208160051b8301016020850160005b8381101561276357601f198584030188528151805115158452602081015190506040602085015261274c60408501826126ce565b6020998a0199909450929092019150600101612718565b50909695505050505050565b634e487b7160e01b600052602160045260246000fd5b600581106127a357634e487b7160e01b600052602160045260246000fd5b9052565b6127b2828251612785565b600060208201516127c7602085018215159052565b50604082015160408401526060820151606084015260808201516127ef608085018215159052565b5060a082015161280360a085018215159052565b5060c082015161281760c085018215159052565b5060e082015160e084015261010082015161024061010085015261283f6102408501826126ce565b905061012083015184820361012086015261285a82826126ce565b91505061014083015161014085015261016083015161016085015261018083015184820361018086015261288e82826126ce565b9150506101a08301516128a66101a086018215159052565b506101c08301516101c08501526101e08301516128c86101e086018215159052565b506102008301516128de61020086018215159052565b5061022083015184820361022086015261171f82826126ce565b8051151582526000602082015180516020850152602081015160408501526040810151606085015260608101516080850152608081015160a085015250604082015161294860c085018215159052565b50606082015161010060e085015261244d6101008501826126ce565b6020815281516020820152602082015160408201526000604083015161016060608401526129966101808401826126fa565b905060608401516080840152608084015160a084015260a08401516129bf60c085018215159052565b5060c0840151838203601f190160e08501526129db82826126ce565b91505060e0840151601f19848303016101008501526129fa82826127a7565b915050610100840151601f1984830301610120850152612a1a82826128f8565b915050610120840151601f1984830301610140850152612a3a82826128f8565b915050610140840151612a5261016085018215159052565b509392505050565b60008083601f840112612a6c57600080fd5b5081356001600160401b03811115612a8357600080fd5b60208301915083602082850101111561113757600080fd5b60008060208385031215612aae57600080fd5b82356001600160401b03811115612ac457600080fd5b612ad085828601612a5a565b90969095509350505050565b80356001600160a01b03811681146103c457600080fd5b600080600060408486031215612b0857600080fd5b612b1184612adc565b925060208401356001600160401b03811115612b2c57600080fd5b612b3886828701612a5a565b9497909650939450505050565b821515815260406020820152600061244d60408301846126ce565b60008060008060608587031215612b7657600080fd5b612b7f85612adc565b93506020850135925060408501356001600160401b03811115612ba157600080fd5b612bad87828801612a5a565b95989497509550505050565b602081526000610d4b60208301846127a7565b6000808335601e19843603018112612be357600080fd5b8301803591506001600160401b03821115612bfd57600080fd5b6020019150600581901b360382131561113757600080fd5b634e487b7160e01b600052604160045260246000fd5b634e487b7160e01b600052603260045260246000fd5b60008235603e19833603018112612c5757600080fd5b9190910192915050565b600060208284031215612c7357600080fd5b610d4b82612adc565b6000808335601e19843603018112612c9357600080fd5b8301803591506001600160401b03821115612cad57600080fd5b60200191503681900382131561113757600080fd5b80151581146101b257600080fd5b80356103c481612cc2565b600060208284031215612ced57600080fd5b8135610d4b81612cc2565b6000808335601e19843603018112612d0f57600080fd5b8301803591506001600160401b03821115612d2957600080fd5b602001915060a08102360382131561113757600080fd5b60405161024081016001600160401b0381118282101715612d6357612d63612c15565b60405290565b600060a0828403128015612d7c57600080fd5b5060405160009060a081016001600160401b0381118282101715612da257612da2612c15565b6040908152843582526020808601359083015284810135908201526060808501359082015260809384013593810193909352509092915050565b6000808335601e19843603018112612df357600080fd5b83016020810192503590506001600160401b03811115612e1257600080fd5b8060051b360382131561113757600080fd5b6000808335601e19843603018112612e3b57600080fd5b83016020810192503590506001600160401b03811115612e5a57600080fd5b80360382131561113757600080fd5b81835281816020850137506000828201602090810191909152601f909101601f19169091010190565b60008383855260208501945060208460051b8201018360005b8681101561276357838303601f19018852813536879003603e19018112612ed157600080fd5b86016001600160a01b03612ee482612adc565b168452612ef46020820182612e24565b915060406020860152612f0b604086018383612e69565b60209a8b019a90955093909301925050600101612eab565b81835260006001600160fb1b03831115612f3c57600080fd5b8260051b80836020870137939093016020019392505050565b6000808335601e19843603018112612f6c57600080fd5b83016020810192503590506001600160401b03811115612f8b57600080fd5b60a08102360382131561113757600080fd5b81835260208301925060008160005b84811015612ff257813586526020808301359087015260408083013590870152606080830135908701526080808301359087015260a09586019590910190600101612fac565b5093949350505050565b60208152600061300c8384612ddc565b610400602085015261302361042085018284612e92565b9150506130336020850185612e24565b848303601f1901604086015261304a838284612e69565b9250505061305a60408501612cd0565b801515606085015250606084013560808481019190915284013560a080850191909152613088908501612adc565b6001600160a01b03811660c0850152506130a560c0850185612e24565b848303601f190160e08601526130bc838284612e69565b925050506130cc60e08501612adc565b6001600160a01b038116610100850152506130ea6101008501612cd0565b801515610120850152506131016101208501612adc565b6001600160a01b03811661014085015250613120610140850185612ddc565b848303601f1901610160860152613138838284612f23565b925050506131496101608501612cd0565b801515610180850152506101808401356101a0848101919091528401356101c0808501919091528401356101e08085019190915284013561020080850191909152840135610220808501919091528401356102408085019190915284013561026080850191909152840135610280808501919091528401356102a0808501919091526131d6908501612adc565b6001600160a01b0381166102c0850152506131f46102c08501612cd0565b8015156102e08501525061324261030084016102e08601803582526020808201359083015260408082013590830152606080820135908301526080808201359083015260a090810135910152565b6132506103a0850185612f55565b848303601f19016103c0860152613268838284612f9d565b925050506132796103c08501612cd0565b8015156103e0850152506103e0939093013561040092909201919091525090565b8183823760009101908152919050565b831515815282602082015260606040820152600061171f60608301846126ce565b6000602082840312156132dd57600080fd5b5051919050565b634e487b7160e01b600052601160045260246000fd5b81810381811115611383576113836132e4565b60018060a01b038416815282602082015260606040820152600061171f60608301846126ce565b80516103c481612cc2565b600082601f83011261335057600080fd5b81516001600160401b0381111561336957613369612c15565b604051601f8201601f19908116603f011681016001600160401b038111828210171561339757613397612c15565b6040528181528382016020018510156133af57600080fd5b61244d8260208301602087016126aa565b6000806000606084860312156133d557600080fd5b83516133e081612cc2565b6020850151604086015191945092506001600160401b0381111561340357600080fd5b61340f8682870161333f565b9150509250925092565b80820180821115611383576113836132e4565b63ffffffff60e01b8816815286600482015285602482015284604482015282846064830137606492019182015260840195945050505050565b602081526000610d4b60208301846126ce565b60008251612c578184602087016126aa565b6000806040838503121561349d57600080fd5b82516134a881612cc2565b60208401519092506001600160401b038111156134c457600080fd5b6134d08582860161333f565b9150509250929050565b8051600581106103c457600080fd5b6000602082840312156134fb57600080fd5b81516001600160401b0381111561351157600080fd5b8201610240818503121561352457600080fd5b61352c612d40565b613535826134da565b815261354360208301613334565b6020820152604082810151908201526060808301519082015261356860808301613334565b608082015261357960a08301613334565b60a082015261358a60c08301613334565b60c082015260e082810151908201526101008201516001600160401b038111156135b357600080fd5b6135bf8682850161333f565b610100830152506101208201516001600160401b038111156135e057600080fd5b6135ec8682850161333f565b61012083015250610140828101519082015261016080830151908201526101808201516001600160401b0381111561362357600080fd5b61362f8682850161333f565b610180830152506136436101a08301613334565b6101a08201526101c082810151908201526136616101e08301613334565b6101e08201526136746102008301613334565b6102008201526102208201516001600160401b0381111561369457600080fd5b6136a08682850161333f565b61022083015250949350505050565b80356001600160e01b031981169060048410156136e0576001600160e01b0319600485900360031b81901b82161691505b5092915050565b600080604083850312156136fa57600080fd5b82516001600160401b0381111561371057600080fd5b61371c8582860161333f565b602094909401519395939450505050565b60008261374a57634e487b7160e01b600052601260045260246000fd5b500490565b8082028115828204841417611383576113836132e4565b805160208201516001600160e01b031981169190600482101561379d576001600160e01b0319600483900360031b81901b82161692505b5050919050565b6000816137b3576137b36132e4565b506000190190565b63ffffffff60e01b861681528460048201528360248201528183604483013760009101604401908152949350505050565b600080858511156137fc57600080fd5b8386111561380957600080fd5b5050820193919092039150565b8035602083101561138357600019602084900360031b1b1692915050565b63ffffffff60e01b87168152856004820152846024820152836044820152818360648301376000910160640190815295945050505050565b60ff8416815260606020820152600061388860608301856126ce565b9050826040830152949350505050565b60ff851681526080602082015260006138b460808301866126ce565b6040830194909452506060015292915050565b6001600160e01b0319851681526004810184905281836024830137600091016024019081529392505050565b80356001600160801b031981169060108410156136e0576001600160801b031960109490940360031b84901b169092169291505056';
