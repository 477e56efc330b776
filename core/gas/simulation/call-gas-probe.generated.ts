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
            "name": "leastVerificationUsed",
            "type": "uint256"
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
            "name": "leastVerificationUsed",
            "type": "uint256"
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
            "name": "leastVerificationUsed",
            "type": "uint256"
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
  '0x6080604052600436106100595760003560e01c8063253289cf146100705780635be65528146100a6578063bf48bcb6146100c6578063c2ab9dfe146100e6578063d9ad053414610114578063fdbf7a7f1461013457610068565b3661006857610066610154565b005b610066610154565b34801561007c57600080fd5b5061009061008b36600461263f565b610182565b60405161009d9190612934565b60405180910390f35b3480156100b257600080fd5b506100666100c136600461263f565b610469565b3480156100d257600080fd5b506100666100e1366004612a6b565b61049c565b3480156100f257600080fd5b50610106610101366004612ac3565b610542565b60405161009d929190612b15565b34801561012057600080fd5b5061006661012f36600461263f565b6105af565b34801561014057600080fd5b5061006661014f366004612b30565b6105bb565b6001633808fbf760811b013660008037600080366000845af43d6000803e8061017c573d6000fd5b503d6000f35b61018a6124da565b610192610628565b81524860208201526001633808fbf760811b013b6000036101b257919050565b6101bc8280612b89565b90506001600160401b038111156101d5576101d5612bd2565b60405190808252806020026020018201604052801561021b57816020015b6040805180820190915260008152606060208201528152602001906001900390816101f35790505b50604082015260005b61022e8380612b89565b9050811015610343576102ec6102448480612b89565b8381811061025457610254612be8565b90506020028101906102669190612bfe565b610274906020810190612c1e565b622dc6c06102828680612b89565b8581811061029257610292612be8565b90506020028101906102a49190612bfe565b6102b2906020810190612c39565b8080601f0160208091040260200160405190810160405280939291908181526020018383808284376000920191909152506106f492505050565b90508360400151838151811061030457610304612be8565b60200260200101516000018460400151848151811061032557610325612be8565b60209081029190910181015101919091529015159052600101610224565b506000610354610140840184612b89565b905011156103965761036e6103e083016103c08401612c98565b1561037d5761037d82826107b2565b806101400151610391576103918282610909565b919050565b60006103a66103a0840184612cb5565b905011156103f4576101208101516103f49083906103c86103a0830183612cb5565b60008181106103d9576103d9612be8565b905060a002018036038101906103ef9190612d26565b610ab0565b61040661018083016101608401612c98565b6103915761045f306001600160a01b031663d9ad05348460405160240161042d9190612fb9565b604051602081830303815290604052915060e01b6020820180516001600160e01b038381831617835250505050610c24565b60e0820152919050565b61049961047582610cbb565b6040516020016104859190613262565b604051602081830303815290604052610d96565b50565b600082828080601f016020809104026020016040519081016040528093929190818152602001838380828437600092018290525084519495506060949093506001633808fbf760811b019250839150819060208701845af491503d61080081111561050657506108005b6040519350601f19603f8201168401604052808452806000602086013e5061053a8284604051602001610485929190612b15565b505050505050565b60006060846001600160a01b03168484604051610560929190613275565b6000604051808303816000865af19150503d806000811461059d576040519150601f19603f3d011682016040523d82523d6000602084013e6105a2565b606091505b5091509150935093915050565b61049961047582610d9e565b6000806000610601878787878080601f016020809104026020016040519081016040528093929190818152602001838380828437600092019190915250610e1792505050565b92509250925061061f83838360405160200161048593929190613285565b50505050505050565b6000438160643b1561069c5760646001600160a01b031663a3b1b31d6040518163ffffffff1660e01b8152600401602060405180830381865afa158015610673573d6000803e3d6000fd5b505050506040513d601f19601f8201168201806040525081019061069791906132a6565b61069f565b60005b9050818181156106ba576106b46001856132d5565b406106bd565b60005b6040805160208101949094528301919091526060820152608001604051602081830303815290604052805190602001209250505090565b60405163fdbf7a7f60e01b81526000908190606090309063fdbf7a7f90610723908990899089906004016132e8565b600060405180830381600087803b15801561073d57600080fd5b505af192505050801561074e575060015b6107a9573d80801561077c576040519150601f19603f3d011682016040523d82523d6000602084013e610781565b606091505b5060608151106107a7578080602001905181019061079f919061339b565b919550935091505b505b93509350939050565b6107ef6107c36103a0840184612cb5565b60008181106107d4576107d4612be8565b905060a002018036038101906107ea9190612d26565b610e69565b6107f7575050565b6101208101516108119083906103c86103a0830183612cb5565b60008061082384846101200151610ec2565b9150915081158061086257506108606108406103a0860186612cb5565b600081811061085157610851612be8565b905060a0020160000135611002565b155b1561086d5750505050565b6000610892306001600160a01b0316635be655288760405160240161042d9190612fb9565b9050806020015115806108ad57508461040001358160600151105b156108b9575050505050565b60006108c686848461102f565b9050856103e001358110156108dd57505050505050565b60e0850191909152600160a0850181905261014085015260808401919091526060909201919091525050565b60006109158383611085565b9050816060015160000361092857505050565b61093a61018084016101608501612c98565b61098757610961306001600160a01b031663d9ad05348560405160240161042d9190612fb9565b60e0830181905251600090600481111561097d5761097d61273f565b1461098757505050565b610992838383611162565b6109a461018084016101608501612c98565b806109b157508160a00151155b156109bb57505050565b8160e00151602001511580156109e057506109de6102e084016102c08501612c98565b155b156109ea57505050565b60006109f684846112c8565b9050610a0181610e69565b610a0b5750505050565b610a1b8484610100015183610ab0565b6101208301515180610a3a5750610a366103a0850185612cb5565b1590505b15610a455750505050565b610a73610a566103a0860186612cb5565b6000818110610a6757610a67612be8565b905060a00201826113ff565b8015610a8b5750610a8b6107c36103a0860186612cb5565b15610aaa57610120830151610aaa9085906103c86103a0830183612cb5565b50505050565b602082018190526000610ac96060850160408601612c98565b610ada5763358e0fe560e21b610ae3565b6397b2dcb960e01b5b60606000610af46020880188612c39565b610b00915060606133f4565b610b0d6020890189612c39565b6000604051602001610b259796959493929190613407565b6040516020818303038152906040529050610b55846040016020810190610b4c9190612c98565b8260648561143f565b600183526040516000903090819063bf48bcb690610b77908690602401613440565b60408051601f198184030181529181526020820180516001600160e01b031660e09490941b939093179092529051610baf9250613453565b600060405180830381855af49150503d8060008114610bea576040519150601f19603f3d011682016040523d82523d6000602084013e610bef565b606091505b509150506040815110610c1d5780806020019051810190610c109190613465565b6060860152151560408501525b5050505050565b610c2c61254b565b6000306001600160a01b031683604051610c469190613453565b6000604051808303816000865af19150503d8060008114610c83576040519150601f19603f3d011682016040523d82523d6000602084013e610c88565b606091505b50915050600081511115610cb15780806020019051810190610caa91906134c4565b9392505050565b5060048152919050565b610cc361254b565b600080610cd08484611522565b8051151560a08601529092509050811580610cec57508260a001515b15610cf8575050919050565b6000610d03856117d6565b60016020860152805190915015610d6557610d57610d28610100870160e08801612c1e565b610d366103a0880188612cb5565b6000818110610d4757610d47612be8565b905060a002016000013583610e17565b506060860152151560208501525b50505060608101516001608083018190526040830191909152602082015115156102008301526101e0820152919050565b805160208201fd5b610da661254b565b600080610db38484611522565b9150915081610dc3575050919050565b6000610dcf85856118f2565b8251151560a086015290508080610de857508360200151155b8015610df557508360a001515b15610e0f57610e048585611b3c565b610e0f858386611c50565b505050919050565b60008060605a60008086516020880160008b8bf193505a900391503d610800811115610e4257506108005b6040519150601f19603f8201168201604052808252806000602084013e5093509350939050565b6000610ebc620249f083608001516002610e83919061368a565b606085015160208601518651610e9991906133f4565b610ea391906133f4565b610ead91906133f4565b610eb791906133f4565b611002565b92915050565b6060808201516020830151600092839291908390610ee590880160408901612c98565b610ef0576004610ef3565b60205b60ff169050610f038160406133f4565b83511015610f1a5760008094509450505050610ffb565b600082604001518360800151846060015185602001518660000151610f3f91906133f4565b610f4991906133f4565b610f5391906133f4565b610f5d91906133f4565b9050610f6f6060890160408a01612c98565b610f9457630116f59360e71b610f84856136a1565b6001600160e01b03191614610fd2565b86604001518015610fd257506102008801351580610fd25750610fbc6102008901358261368a565b610fd085610fcb8560206133f4565b611cb1565b105b95508515610ff6578260400151610fe98584611cb1565b610ff391906132d5565b94505b505050505b9250929050565b6000620249f0611013601e846136df565b61101d90846133f4565b61102791906133f4565b5a1192915050565b6000806110426060860160408701612c98565b61104d576000611063565b846101a00135836101c0015161106391906133f4565b9050808411611072578361107c565b61107c81856132d5565b95945050505050565b60008061109184611ce5565b905060005b6110a4610140860186612b89565b905081101561115a5760006110bd610140870187612b89565b838181106110cd576110cd612be8565b90506020020135905060006110f58760400160208101906110ee9190612c98565b8584611d4d565b60c08801529050801561114f576060860182905261111287611dfc565b6040015161113688604001602081019061112c9190612c98565b8860c00151611f6b565b61114091906132d5565b608087015250610ebc92505050565b509250600101611096565b505092915050565b600061116d84611ce5565b606084015190915060006111818686611fa2565b9050600061118e82611fd9565b905082856102208901355b6000811180156111b957506111ad86611fd9565b6111b789886132d5565b115b156112985787851115806111cd5750858510155b156111eb5760026111de878a6133f4565b6111e891906136df565b94505b6112056111f78b611dfc565b60600151610eb790876133f4565b1561129857600061122661121f60608d0160408e01612c98565b8988611d4d565b50905080156112375785965061123b565b8598505b8387036112535761124c858a6133f4565b9550611277565b8289036112725784871161126857600061124c565b61124c85886132d5565b600095505b61128260048661368a565b945050808061129090613701565b915050611199565b50606088018590526112a985611fd9565b6112b388876132d5565b111560a0909801979097525050505050505050565b6112fa6040518060a0016040528060008152602001600081526020016000815260200160008152602001600081525090565b60e08201516102e0840161130d85611dfc565b92506000826020015161132457826060015161132a565b82604001515b90506113568260600135611342838560200135611ff2565b61134c91906133f4565b836080013561202c565b84526060850151611368908335611ff2565b602085015260e0830151600090611383906040850135611ff2565b90506113956060880160408901612c98565b156113b2576113a881866080015161202c565b60808601526113f5565b6113c085602001518261202c565b602086015260a084015180156113d857508360c00151155b156113f5576113ef85602001518460a0013561202c565b60208601525b5050505092915050565b805160009083351080611419575081602001518360200135105b8061142b575081606001518360600135105b80610caa5750506080908101519101351090565b836114915761145a836114538460806133f4565b8351612042565b611473836114698460a06133f4565b8360200151612042565b61148c836114828460c06133f4565b8360400151612042565b610aaa565b6114b0836114a08460806133f4565b8351602085015160801b17612042565b6114bf836114828460a06133f4565b60006114d084610fcb8560e06133f4565b6114da90846133f4565b905060346114e88583611cb1565b10156114f45750610aaa565b610c1d846115038360206133f4565b61150e9060146133f4565b846080015160808660600151901b17612042565b6000606080828061153a610100880160e08901612c1e565b6001600160a01b03163b116101a0860152600061155a60c0880188612c39565b905011801561159d5750846101a00151801561159b5750632b870d1b60e11b61158660c0880188612c39565b61158f91613718565b6001600160e01b031916145b155b15611649576116026115b560c0880160a08901612c1e565b6101808801356115c860c08a018a612c39565b8080601f016020809104026020016040519081016040528093929190818152602001838380828437600092019190915250610e1792505050565b93509091505080158061162d5750611621610100870160e08801612c1e565b6001600160a01b03163b155b156116495761163e85600184612070565b935093505050610ffb565b61165a610100870160e08801612c1e565b6001600160a01b0316803b806020016040519081016040528181526000908060200190933c61018086015260006116976060880160408901612c98565b6116a857633a871cdd60e01b6116b1565b6306608bdf60e21b5b90506116de6116c7610100890160e08a01612c1e565b8861018001356116d98a8560006120be565b610e17565b9450909250829050611702576116f686600285612070565b94509450505050610ffb565b600061171661014089016101208a01612c1e565b6001600160a01b0316146117c8576117346060880160408901612c98565b61174557637a32e3bf60e11b61174e565b6314add44b60e21b5b905061177a61176561014089016101208a01612c1e565b8861018001356116d98a858c608001356120be565b6101c089019190915293509150811580611795575060608351105b156117b0576117a48787611b3c565b6116f686600385612070565b828060200190518101906117c49190613750565b5093505b600194505050509250929050565b60603660006117e86020850185612c39565b90925090506117ff61012085016101008601612c98565b1561183f576040805161182791638dd7712f60e01b9160608801359086908690602001613796565b60405160208183030381529060405292505050919050565b600061184f6080606084866137c7565b611858916137f1565b9050600083828461186a8260206133f4565b92611877939291906137c7565b611880916137f1565b9050838361188f8460206133f4565b908361189c8660206133f4565b6118a691906133f4565b926118b3939291906137c7565b8080601f016020809104026020016040519081016040528093929190818152602001838380828437600092019190915250929998505050505050505050565b6000806118fe846117d6565b905080516000036119305750506001608082018190526020820181905261020082018190526101e08201819052610ebc565b6101c084013561193f81611002565b1515608085015261196161195a610100870160e08801612c1e565b82846106f4565b61010087015260608601521515602085015260006119836103a0870187612cb5565b905011801561199757506000856102200135115b156119a7576119a7858386612101565b83602001516119bb57600092505050610ebc565b6040840181905260608401516000622dc6c082116119da5760006119e5565b6119e5603f836136df565b6119ee83611fd9565b6119f96001856132d5565b611a0391906133f4565b611a0d91906133f4565b90506102208701358015801590611a2357508382105b8015611a335750611a3382611002565b15611a9757611a53611a4c6101008a0160e08b01612c1e565b8387610e17565b50909650508515611a6a5760408701829052611a97565b611a91611a7e6101008a0160e08b01612c1e565b868487611a8c6001876132d5565b6121d9565b60408801525b6000811580611aa95750848860400151105b80611ab45750848310155b905086158015611ac85750611ac884611002565b15611aee57611ae8611ae16101008b0160e08c01612c1e565b8688610e17565b50909750505b808015611af85750865b151560808901528115801590611b1a5750611b12896122cd565b886040015111155b15611b3057600161020089018190526101e08901525b50505050505092915050565b6000611b506102c084016102a08501612c1e565b6001600160a01b031603611b62575050565b611bde611b776102c084016102a08501612c1e565b6370a0823160e01b611b90610100860160e08701612c1e565b6040516001600160a01b0390911660248201526044015b60408051601f198184030181529190526020810180516001600160e01b03166001600160e01b03199093169290921790915261231a565b610140820152611c46611bf96102c084016102a08501612c1e565b636eb1769f60e11b611c12610100860160e08701612c1e565b611c2461014087016101208801612c1e565b6040516001600160a01b03928316602482015291166044820152606401611ba7565b6101609091015250565b611c808361020001358461026001358360600151611c6e91906133f4565b611c78919061368a565b848484612359565b8060c001518015611c9657506000836102800135115b15611cac57611cac836102800135848484612359565b505050565b6000602083511080611ccf575060208351611ccc91906132d5565b82115b15611cdc57506000610ebc565b50016020015190565b60606000611cf883830160408501612c98565b611d095763ee21942360e01b611d12565b63c3bce00960e01b5b9050806020611d2385820186612c39565b604051602001611d36949392919061380f565b604051602081830303815290604052915050919050565b6000606060248515611d7757611d7285611d688360806133f4565b608087901b612042565b611d8c565b611d8c85611d868360a06133f4565b86612042565b611d97305a876106f4565b9194509092505082158015611dae57506004825110155b15611df3576000611dbe836136a1565b90506001600160e01b0319811663e0cff05f60e01b1480611def57506001600160e01b03198116633ebb2d3960e21b145b9350505b50935093915050565b611e2e6040518060a0016040528060008152602001600081526020016000815260200160008152602001600081525090565b366000611e3e6020850185612c39565b9092509050611e536060850160408601612c98565b611e6a57611e6560e060c083856137c7565b611e78565b611e7860c060a083856137c7565b611e81916137f1565b604080850191909152611e9a9060608601908601612c98565b1580611ec057506000611eb561014086016101208701612c1e565b6001600160a01b0316145b15611ecc575050919050565b6000611edd61010060e084866137c7565b611ee6916137f1565b611ef19060206133f4565b611efc9060146133f4565b9050828183611f0c8260106133f4565b92611f19939291906137c7565b611f229161383b565b60801c60608501528282611f378360106133f4565b90611f438460206133f4565b92611f50939291906137c7565b611f599161383b565b608090811c9085015250919392505050565b60008083611f7a576004611f7d565b60205b60ff169050611f9a83611f908584611cb1565b610fcb90846133f4565b949350505050565b6000611fb78383608001518460e0015161102f565b9050622dc6c0811115610ebc57611fcf603f826136df565b610caa90826133f4565b6000611fe7610100836136df565b610ebc9060c86133f4565b6000612710600181612004858761368a565b61200e91906133f4565b61201891906132d5565b61202291906136df565b610caa90846133f4565b600081831161203b5781610caa565b5090919050565b60208351108061205e57506020835161205b91906132d5565b82115b1561206857505050565b910160200152565b60006060848460048111156120875761208761273f565b9081600481111561209a5761209a61273f565b90525050506101009290920191909152506040805160208101909152600080825291565b6060828185810135846120d46020890189612c39565b6040516020016120e996959493929190613871565b60405160208183030381529060405290509392505050565b80602001516121235761010081015161022082015260016101e0909101525050565b60006121336103a0850185612cb5565b600081811061214457612144612be8565b905060a0020160000135905061215d8260600151611fd9565b61216890600261368a565b6008836060015161217991906136df565b836060015161218891906133f4565b61219291906133f4565b811061219e5750505050565b60016101e08301526121c16121ba610100860160e08701612c1e565b82856106f4565b61022085015250151561020090920191909152505050565b816000622dc6c085116121f4576121ef85611fd9565b6121ff565b6121ff6010866136df565b905060005b600084118015612224575061221883611fd9565b61222287856132d5565b115b156122c25760008161223f5761223a83886133f4565b612255565b600261224b85896133f4565b61225591906136df565b9050858110158061226c575061226a81611002565b155b1561227757506122c2565b60006122848a838b6106f4565b50509050801561229c579093506001915083906122ae565b816122a885600461368a565b90985093505b856122b881613701565b9650505050612204565b505095945050505050565b60006122dd6103a0830183612cb5565b159050612312576122f26103a0830183612cb5565b600081811061230357612303612be8565b905060a0020160000135610ebc565b600092915050565b600080600061232d85620493e0866106f4565b9250509150818015612340575080516020145b1561115a578080602001905181019061107c91906132a6565b6000816020015161236b57600161236e565b60005b905060006123826060860160408701612c98565b6123db5760405163a9a2340960e01b906123a490849087908a906024016138a9565b60408051601f198184030181529190526020810180516001600160e01b03166001600160e01b031990931692909217909152612433565b604051637c627b2160e01b9061240090849087908a906102008b0135906024016138d5565b60408051601f198184030181529190526020810180516001600160e01b03166001600160e01b0319909316929092179091525b9050600061245861244c61014088016101208901612c1e565b876101e00135846106f4565b61012087015290151560c0860181905290915061247757505050610aaa565b60006124ba61248e61014089016101208a01612c1e565b846000851161249e5760006124a9565b6124a96001866132d5565b8a6101e001358b61024001356121d9565b90508460e001518111156124d05760e085018190525b5050505050505050565b60405180610160016040528060008019168152602001600081526020016060815260200160008152602001600081526020016000151581526020016060815260200161252461254b565b81526020016125316125e5565b815260200161253e6125e5565b8152600060209091015290565b6040805161024081019091528060008152602001600015158152602001600081526020016000815260200160001515815260200160001515815260200160001515815260200160008152602001606081526020016060815260200160008152602001600081526020016060815260200160001515815260200160008152602001600015158152602001600015158152602001606081525090565b604051806080016040528060001515815260200161262b6040518060a0016040528060008152602001600081526020016000815260200160008152602001600081525090565b815260006020820152606060409091015290565b60006020828403121561265157600080fd5b81356001600160401b0381111561266757600080fd5b82016104208185031215610caa57600080fd5b60005b8381101561269557818101518382015260200161267d565b50506000910152565b600081518084526126b681602086016020860161267a565b601f01601f19169290920160200192915050565b600082825180855260208501945060208160051b8301016020850160005b8381101561273357601f198584030188528151805115158452602081015190506040602085015261271c604085018261269e565b6020998a01999094509290920191506001016126e8565b50909695505050505050565b634e487b7160e01b600052602160045260246000fd5b6005811061277357634e487b7160e01b600052602160045260246000fd5b9052565b612782828251612755565b60006020820151612797602085018215159052565b50604082015160408401526060820151606084015260808201516127bf608085018215159052565b5060a08201516127d360a085018215159052565b5060c08201516127e760c085018215159052565b5060e082015160e084015261010082015161024061010085015261280f61024085018261269e565b905061012083015184820361012086015261282a828261269e565b91505061014083015161014085015261016083015161016085015261018083015184820361018086015261285e828261269e565b9150506101a08301516128766101a086018215159052565b506101c08301516101c08501526101e08301516128986101e086018215159052565b506102008301516128ae61020086018215159052565b5061022083015184820361022086015261107c828261269e565b8051151582526000602082015180516020850152602081015160408501526040810151606085015260608101516080850152608081015160a085015250604082015161291860c085018215159052565b50606082015161010060e0850152611f9a61010085018261269e565b6020815281516020820152602082015160408201526000604083015161016060608401526129666101808401826126ca565b905060608401516080840152608084015160a084015260a084015161298f60c085018215159052565b5060c0840151838203601f190160e08501526129ab828261269e565b91505060e0840151601f19848303016101008501526129ca8282612777565b915050610100840151601f19848303016101208501526129ea82826128c8565b915050610120840151601f1984830301610140850152612a0a82826128c8565b915050610140840151612a2261016085018215159052565b509392505050565b60008083601f840112612a3c57600080fd5b5081356001600160401b03811115612a5357600080fd5b602083019150836020828501011115610ffb57600080fd5b60008060208385031215612a7e57600080fd5b82356001600160401b03811115612a9457600080fd5b612aa085828601612a2a565b90969095509350505050565b80356001600160a01b038116811461039157600080fd5b600080600060408486031215612ad857600080fd5b612ae184612aac565b925060208401356001600160401b03811115612afc57600080fd5b612b0886828701612a2a565b9497909650939450505050565b8215158152604060208201526000611f9a604083018461269e565b60008060008060608587031215612b4657600080fd5b612b4f85612aac565b93506020850135925060408501356001600160401b03811115612b7157600080fd5b612b7d87828801612a2a565b95989497509550505050565b6000808335601e19843603018112612ba057600080fd5b8301803591506001600160401b03821115612bba57600080fd5b6020019150600581901b3603821315610ffb57600080fd5b634e487b7160e01b600052604160045260246000fd5b634e487b7160e01b600052603260045260246000fd5b60008235603e19833603018112612c1457600080fd5b9190910192915050565b600060208284031215612c3057600080fd5b610caa82612aac565b6000808335601e19843603018112612c5057600080fd5b8301803591506001600160401b03821115612c6a57600080fd5b602001915036819003821315610ffb57600080fd5b801515811461049957600080fd5b803561039181612c7f565b600060208284031215612caa57600080fd5b8135610caa81612c7f565b6000808335601e19843603018112612ccc57600080fd5b8301803591506001600160401b03821115612ce657600080fd5b602001915060a081023603821315610ffb57600080fd5b60405161024081016001600160401b0381118282101715612d2057612d20612bd2565b60405290565b600060a0828403128015612d3957600080fd5b5060405160009060a081016001600160401b0381118282101715612d5f57612d5f612bd2565b6040908152843582526020808601359083015284810135908201526060808501359082015260809384013593810193909352509092915050565b6000808335601e19843603018112612db057600080fd5b83016020810192503590506001600160401b03811115612dcf57600080fd5b8060051b3603821315610ffb57600080fd5b6000808335601e19843603018112612df857600080fd5b83016020810192503590506001600160401b03811115612e1757600080fd5b803603821315610ffb57600080fd5b81835281816020850137506000828201602090810191909152601f909101601f19169091010190565b60008383855260208501945060208460051b8201018360005b8681101561273357838303601f19018852813536879003603e19018112612e8e57600080fd5b86016001600160a01b03612ea182612aac565b168452612eb16020820182612de1565b915060406020860152612ec8604086018383612e26565b60209a8b019a90955093909301925050600101612e68565b81835260006001600160fb1b03831115612ef957600080fd5b8260051b80836020870137939093016020019392505050565b6000808335601e19843603018112612f2957600080fd5b83016020810192503590506001600160401b03811115612f4857600080fd5b60a081023603821315610ffb57600080fd5b81835260208301925060008160005b84811015612faf57813586526020808301359087015260408083013590870152606080830135908701526080808301359087015260a09586019590910190600101612f69565b5093949350505050565b602081526000612fc98384612d99565b6104206020850152612fe061044085018284612e4f565b915050612ff06020850185612de1565b848303601f19016040860152613007838284612e26565b9250505061301760408501612c8d565b801515606085015250606084013560808481019190915284013560a080850191909152613045908501612aac565b6001600160a01b03811660c08501525061306260c0850185612de1565b848303601f190160e0860152613079838284612e26565b9250505061308960e08501612aac565b6001600160a01b038116610100850152506130a76101008501612c8d565b801515610120850152506130be6101208501612aac565b6001600160a01b038116610140850152506130dd610140850185612d99565b848303601f19016101608601526130f5838284612ee0565b925050506131066101608501612c8d565b801515610180850152506101808401356101a0848101919091528401356101c0808501919091528401356101e08085019190915284013561020080850191909152840135610220808501919091528401356102408085019190915284013561026080850191909152840135610280808501919091528401356102a080850191909152613193908501612aac565b6001600160a01b0381166102c0850152506131b16102c08501612c8d565b8015156102e0850152506131ff61030084016102e08601803582526020808201359083015260408082013590830152606080820135908301526080808201359083015260a090810135910152565b61320d6103a0850185612f12565b848303601f19016103c0860152613225838284612f5a565b925050506132366103c08501612c8d565b8015156103e0850152506103e08401356104008481019190915290930135610420909201919091525090565b602081526000610caa6020830184612777565b8183823760009101908152919050565b831515815282602082015260606040820152600061107c606083018461269e565b6000602082840312156132b857600080fd5b5051919050565b634e487b7160e01b600052601160045260246000fd5b81810381811115610ebc57610ebc6132bf565b60018060a01b038416815282602082015260606040820152600061107c606083018461269e565b805161039181612c7f565b600082601f83011261332b57600080fd5b81516001600160401b0381111561334457613344612bd2565b604051601f8201601f19908116603f011681016001600160401b038111828210171561337257613372612bd2565b60405281815283820160200185101561338a57600080fd5b611f9a82602083016020870161267a565b6000806000606084860312156133b057600080fd5b83516133bb81612c7f565b6020850151604086015191945092506001600160401b038111156133de57600080fd5b6133ea8682870161331a565b9150509250925092565b80820180821115610ebc57610ebc6132bf565b63ffffffff60e01b8816815286600482015285602482015284604482015282846064830137606492019182015260840195945050505050565b602081526000610caa602083018461269e565b60008251612c1481846020870161267a565b6000806040838503121561347857600080fd5b825161348381612c7f565b60208401519092506001600160401b0381111561349f57600080fd5b6134ab8582860161331a565b9150509250929050565b80516005811061039157600080fd5b6000602082840312156134d657600080fd5b81516001600160401b038111156134ec57600080fd5b820161024081850312156134ff57600080fd5b613507612cfd565b613510826134b5565b815261351e6020830161330f565b602082015260408281015190820152606080830151908201526135436080830161330f565b608082015261355460a0830161330f565b60a082015261356560c0830161330f565b60c082015260e082810151908201526101008201516001600160401b0381111561358e57600080fd5b61359a8682850161331a565b610100830152506101208201516001600160401b038111156135bb57600080fd5b6135c78682850161331a565b61012083015250610140828101519082015261016080830151908201526101808201516001600160401b038111156135fe57600080fd5b61360a8682850161331a565b6101808301525061361e6101a0830161330f565b6101a08201526101c0828101519082015261363c6101e0830161330f565b6101e082015261364f610200830161330f565b6102008201526102208201516001600160401b0381111561366f57600080fd5b61367b8682850161331a565b61022083015250949350505050565b8082028115828204841417610ebc57610ebc6132bf565b805160208201516001600160e01b03198116919060048210156136d8576001600160e01b0319600483900360031b81901b82161692505b5050919050565b6000826136fc57634e487b7160e01b600052601260045260246000fd5b500490565b600081613710576137106132bf565b506000190190565b80356001600160e01b03198116906004841015613749576001600160e01b0319600485900360031b81901b82161691505b5092915050565b6000806040838503121561376357600080fd5b82516001600160401b0381111561377957600080fd5b6137858582860161331a565b602094909401519395939450505050565b63ffffffff60e01b861681528460048201528360248201528183604483013760009101604401908152949350505050565b600080858511156137d757600080fd5b838611156137e457600080fd5b5050820193919092039150565b80356020831015610ebc57600019602084900360031b1b1692915050565b6001600160e01b0319851681526004810184905281836024830137600091016024019081529392505050565b80356001600160801b03198116906010841015613749576001600160801b031960109490940360031b84901b1690921692915050565b63ffffffff60e01b87168152856004820152846024820152836044820152818360648301376000910160640190815295945050505050565b60ff841681526060602082015260006138c5606083018561269e565b9050826040830152949350505050565b60ff851681526080602082015260006138f1608083018661269e565b604083019490945250606001529291505056';
