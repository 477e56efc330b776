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
  '0x6080604052600436106100595760003560e01c8063253289cf146100705780635be65528146100a6578063bf48bcb6146100c6578063c2ab9dfe146100e6578063d9ad053414610114578063fdbf7a7f1461013457610068565b3661006857610066610154565b005b610066610154565b34801561007c57600080fd5b5061009061008b36600461265d565b610182565b60405161009d9190612952565b60405180910390f35b3480156100b257600080fd5b506100666100c136600461265d565b610469565b3480156100d257600080fd5b506100666100e1366004612a89565b61049c565b3480156100f257600080fd5b50610106610101366004612ae1565b610542565b60405161009d929190612b33565b34801561012057600080fd5b5061006661012f36600461265d565b6105af565b34801561014057600080fd5b5061006661014f366004612b4e565b6105bb565b6001633808fbf760811b013660008037600080366000845af43d6000803e8061017c573d6000fd5b503d6000f35b61018a6124f8565b610192610628565b81524860208201526001633808fbf760811b013b6000036101b257919050565b6101bc8280612ba7565b90506001600160401b038111156101d5576101d5612bf0565b60405190808252806020026020018201604052801561021b57816020015b6040805180820190915260008152606060208201528152602001906001900390816101f35790505b50604082015260005b61022e8380612ba7565b9050811015610343576102ec6102448480612ba7565b8381811061025457610254612c06565b90506020028101906102669190612c1c565b610274906020810190612c3c565b622dc6c06102828680612ba7565b8581811061029257610292612c06565b90506020028101906102a49190612c1c565b6102b2906020810190612c57565b8080601f0160208091040260200160405190810160405280939291908181526020018383808284376000920191909152506106f492505050565b90508360400151838151811061030457610304612c06565b60200260200101516000018460400151848151811061032557610325612c06565b60209081029190910181015101919091529015159052600101610224565b506000610354610140840184612ba7565b905011156103965761036e6103e083016103c08401612cb6565b1561037d5761037d82826107b2565b806101400151610391576103918282610927565b919050565b60006103a66103a0840184612cd3565b905011156103f4576101208101516103f49083906103c86103a0830183612cd3565b60008181106103d9576103d9612c06565b905060a002018036038101906103ef9190612d44565b610ace565b61040661018083016101608401612cb6565b6103915761045f306001600160a01b031663d9ad05348460405160240161042d9190612fd7565b604051602081830303815290604052915060e01b6020820180516001600160e01b038381831617835250505050610c42565b60e0820152919050565b61049961047582610cd9565b6040516020016104859190613280565b604051602081830303815290604052610db4565b50565b600082828080601f016020809104026020016040519081016040528093929190818152602001838380828437600092018290525084519495506060949093506001633808fbf760811b019250839150819060208701845af491503d61080081111561050657506108005b6040519350601f19603f8201168401604052808452806000602086013e5061053a8284604051602001610485929190612b33565b505050505050565b60006060846001600160a01b03168484604051610560929190613293565b6000604051808303816000865af19150503d806000811461059d576040519150601f19603f3d011682016040523d82523d6000602084013e6105a2565b606091505b5091509150935093915050565b61049961047582610dbc565b6000806000610601878787878080601f016020809104026020016040519081016040528093929190818152602001838380828437600092019190915250610e3592505050565b92509250925061061f838383604051602001610485939291906132a3565b50505050505050565b6000438160643b1561069c5760646001600160a01b031663a3b1b31d6040518163ffffffff1660e01b8152600401602060405180830381865afa158015610673573d6000803e3d6000fd5b505050506040513d601f19601f8201168201806040525081019061069791906132c4565b61069f565b60005b9050818181156106ba576106b46001856132f3565b406106bd565b60005b6040805160208101949094528301919091526060820152608001604051602081830303815290604052805190602001209250505090565b60405163fdbf7a7f60e01b81526000908190606090309063fdbf7a7f9061072390899089908990600401613306565b600060405180830381600087803b15801561073d57600080fd5b505af192505050801561074e575060015b6107a9573d80801561077c576040519150601f19603f3d011682016040523d82523d6000602084013e610781565b606091505b5060608151106107a7578080602001905181019061079f91906133b9565b919550935091505b505b93509350939050565b6107ef6107c36103a0840184612cd3565b60008181106107d4576107d4612c06565b905060a002018036038101906107ea9190612d44565b610e87565b6107f7575050565b6101208101516108119083906103c86103a0830183612cd3565b60008061082384846101200151610ee0565b9150915081158061086257506108606108406103a0860186612cd3565b600081811061085157610851612c06565b905060a0020160000135611020565b155b1561086d5750505050565b6000610892306001600160a01b0316635be655288760405160240161042d9190612fd7565b90506000815160048111156108a9576108a961275d565b1415806108b857508060200151155b806108cb57508461040001358160600151105b156108d7575050505050565b60006108e486848461104d565b9050856103e001358110156108fb57505050505050565b60e0850191909152600160a0850181905261014085015260808401919091526060909201919091525050565b600061093383836110a3565b9050816060015160000361094657505050565b61095861018084016101608501612cb6565b6109a55761097f306001600160a01b031663d9ad05348560405160240161042d9190612fd7565b60e0830181905251600090600481111561099b5761099b61275d565b146109a557505050565b6109b0838383611180565b6109c261018084016101608501612cb6565b806109cf57508160a00151155b156109d957505050565b8160e00151602001511580156109fe57506109fc6102e084016102c08501612cb6565b155b15610a0857505050565b6000610a1484846112e6565b9050610a1f81610e87565b610a295750505050565b610a398484610100015183610ace565b6101208301515180610a585750610a546103a0850185612cd3565b1590505b15610a635750505050565b610a91610a746103a0860186612cd3565b6000818110610a8557610a85612c06565b905060a002018261141d565b8015610aa95750610aa96107c36103a0860186612cd3565b15610ac857610120830151610ac89085906103c86103a0830183612cd3565b50505050565b602082018190526000610ae76060850160408601612cb6565b610af85763358e0fe560e21b610b01565b6397b2dcb960e01b5b60606000610b126020880188612c57565b610b1e91506060613412565b610b2b6020890189612c57565b6000604051602001610b439796959493929190613425565b6040516020818303038152906040529050610b73846040016020810190610b6a9190612cb6565b8260648561145d565b600183526040516000903090819063bf48bcb690610b9590869060240161345e565b60408051601f198184030181529181526020820180516001600160e01b031660e09490941b939093179092529051610bcd9250613471565b600060405180830381855af49150503d8060008114610c08576040519150601f19603f3d011682016040523d82523d6000602084013e610c0d565b606091505b509150506040815110610c3b5780806020019051810190610c2e9190613483565b6060860152151560408501525b5050505050565b610c4a612569565b6000306001600160a01b031683604051610c649190613471565b6000604051808303816000865af19150503d8060008114610ca1576040519150601f19603f3d011682016040523d82523d6000602084013e610ca6565b606091505b50915050600081511115610ccf5780806020019051810190610cc891906134e2565b9392505050565b5060048152919050565b610ce1612569565b600080610cee8484611540565b8051151560a08601529092509050811580610d0a57508260a001515b15610d16575050919050565b6000610d21856117f4565b60016020860152805190915015610d8357610d75610d46610100870160e08801612c3c565b610d546103a0880188612cd3565b6000818110610d6557610d65612c06565b905060a002016000013583610e35565b506060860152151560208501525b50505060608101516001608083018190526040830191909152602082015115156102008301526101e0820152919050565b805160208201fd5b610dc4612569565b600080610dd18484611540565b9150915081610de1575050919050565b6000610ded8585611910565b8251151560a086015290508080610e0657508360200151155b8015610e1357508360a001515b15610e2d57610e228585611b5a565b610e2d858386611c6e565b505050919050565b60008060605a60008086516020880160008b8bf193505a900391503d610800811115610e6057506108005b6040519150601f19603f8201168201604052808252806000602084013e5093509350939050565b6000610eda620249f083608001516002610ea191906136a8565b606085015160208601518651610eb79190613412565b610ec19190613412565b610ecb9190613412565b610ed59190613412565b611020565b92915050565b6060808201516020830151600092839291908390610f0390880160408901612cb6565b610f0e576004610f11565b60205b60ff169050610f21816040613412565b83511015610f385760008094509450505050611019565b600082604001518360800151846060015185602001518660000151610f5d9190613412565b610f679190613412565b610f719190613412565b610f7b9190613412565b9050610f8d6060890160408a01612cb6565b610fb257630116f59360e71b610fa2856136bf565b6001600160e01b03191614610ff0565b86604001518015610ff057506102008801351580610ff05750610fda610200890135826136a8565b610fee85610fe9856020613412565b611ccf565b105b955085156110145782604001516110078584611ccf565b61101191906132f3565b94505b505050505b9250929050565b6000620249f0611031601e846136fd565b61103b9084613412565b6110459190613412565b5a1192915050565b6000806110606060860160408701612cb6565b61106b576000611081565b846101a00135836101c001516110819190613412565b9050808411611090578361109a565b61109a81856132f3565b95945050505050565b6000806110af84611d03565b905060005b6110c2610140860186612ba7565b90508110156111785760006110db610140870187612ba7565b838181106110eb576110eb612c06565b905060200201359050600061111387604001602081019061110c9190612cb6565b8584611d6b565b60c08801529050801561116d576060860182905261113087611e1a565b6040015161115488604001602081019061114a9190612cb6565b8860c00151611f89565b61115e91906132f3565b608087015250610eda92505050565b5092506001016110b4565b505092915050565b600061118b84611d03565b6060840151909150600061119f8686611fc0565b905060006111ac82611ff7565b905082856102208901355b6000811180156111d757506111cb86611ff7565b6111d589886132f3565b115b156112b65787851115806111eb5750858510155b156112095760026111fc878a613412565b61120691906136fd565b94505b6112236112158b611e1a565b60600151610ed59087613412565b156112b657600061124461123d60608d0160408e01612cb6565b8988611d6b565b509050801561125557859650611259565b8598505b8387036112715761126a858a613412565b9550611295565b8289036112905784871161128657600061126a565b61126a85886132f3565b600095505b6112a06004866136a8565b94505080806112ae9061371f565b9150506111b7565b50606088018590526112c785611ff7565b6112d188876132f3565b111560a0909801979097525050505050505050565b6113186040518060a0016040528060008152602001600081526020016000815260200160008152602001600081525090565b60e08201516102e0840161132b85611e1a565b925060008260200151611342578260600151611348565b82604001515b90506113748260600135611360838560200135612010565b61136a9190613412565b836080013561204a565b84526060850151611386908335612010565b602085015260e08301516000906113a1906040850135612010565b90506113b36060880160408901612cb6565b156113d0576113c681866080015161204a565b6080860152611413565b6113de85602001518261204a565b602086015260a084015180156113f657508360c00151155b156114135761140d85602001518460a0013561204a565b60208601525b5050505092915050565b805160009083351080611437575081602001518360200135105b80611449575081606001518360600135105b80610cc85750506080908101519101351090565b836114af5761147883611471846080613412565b8351612060565b611491836114878460a0613412565b8360200151612060565b6114aa836114a08460c0613412565b8360400151612060565b610ac8565b6114ce836114be846080613412565b8351602085015160801b17612060565b6114dd836114a08460a0613412565b60006114ee84610fe98560e0613412565b6114f89084613412565b905060346115068583611ccf565b10156115125750610ac8565b610c3b84611521836020613412565b61152c906014613412565b846080015160808660600151901b17612060565b60006060808280611558610100880160e08901612c3c565b6001600160a01b03163b116101a0860152600061157860c0880188612c57565b90501180156115bb5750846101a0015180156115b95750632b870d1b60e11b6115a460c0880188612c57565b6115ad91613736565b6001600160e01b031916145b155b15611667576116206115d360c0880160a08901612c3c565b6101808801356115e660c08a018a612c57565b8080601f016020809104026020016040519081016040528093929190818152602001838380828437600092019190915250610e3592505050565b93509091505080158061164b575061163f610100870160e08801612c3c565b6001600160a01b03163b155b156116675761165c8560018461208e565b935093505050611019565b611678610100870160e08801612c3c565b6001600160a01b0316803b806020016040519081016040528181526000908060200190933c61018086015260006116b56060880160408901612cb6565b6116c657633a871cdd60e01b6116cf565b6306608bdf60e21b5b90506116fc6116e5610100890160e08a01612c3c565b8861018001356116f78a8560006120dc565b610e35565b9450909250829050611720576117148660028561208e565b94509450505050611019565b600061173461014089016101208a01612c3c565b6001600160a01b0316146117e6576117526060880160408901612cb6565b61176357637a32e3bf60e11b61176c565b6314add44b60e21b5b905061179861178361014089016101208a01612c3c565b8861018001356116f78a858c608001356120dc565b6101c0890191909152935091508115806117b3575060608351105b156117ce576117c28787611b5a565b6117148660038561208e565b828060200190518101906117e2919061376e565b5093505b600194505050509250929050565b60603660006118066020850185612c57565b909250905061181d61012085016101008601612cb6565b1561185d576040805161184591638dd7712f60e01b91606088013590869086906020016137b4565b60405160208183030381529060405292505050919050565b600061186d6080606084866137e5565b6118769161380f565b90506000838284611888826020613412565b92611895939291906137e5565b61189e9161380f565b905083836118ad846020613412565b90836118ba866020613412565b6118c49190613412565b926118d1939291906137e5565b8080601f016020809104026020016040519081016040528093929190818152602001838380828437600092019190915250929998505050505050505050565b60008061191c846117f4565b9050805160000361194e5750506001608082018190526020820181905261020082018190526101e08201819052610eda565b6101c084013561195d81611020565b1515608085015261197f611978610100870160e08801612c3c565b82846106f4565b61010087015260608601521515602085015260006119a16103a0870187612cd3565b90501180156119b557506000856102200135115b156119c5576119c585838661211f565b83602001516119d957600092505050610eda565b6040840181905260608401516000622dc6c082116119f8576000611a03565b611a03603f836136fd565b611a0c83611ff7565b611a176001856132f3565b611a219190613412565b611a2b9190613412565b90506102208701358015801590611a4157508382105b8015611a515750611a5182611020565b15611ab557611a71611a6a6101008a0160e08b01612c3c565b8387610e35565b50909650508515611a885760408701829052611ab5565b611aaf611a9c6101008a0160e08b01612c3c565b868487611aaa6001876132f3565b6121f7565b60408801525b6000811580611ac75750848860400151105b80611ad25750848310155b905086158015611ae65750611ae684611020565b15611b0c57611b06611aff6101008b0160e08c01612c3c565b8688610e35565b50909750505b808015611b165750865b151560808901528115801590611b385750611b30896122eb565b886040015111155b15611b4e57600161020089018190526101e08901525b50505050505092915050565b6000611b6e6102c084016102a08501612c3c565b6001600160a01b031603611b80575050565b611bfc611b956102c084016102a08501612c3c565b6370a0823160e01b611bae610100860160e08701612c3c565b6040516001600160a01b0390911660248201526044015b60408051601f198184030181529190526020810180516001600160e01b03166001600160e01b031990931692909217909152612338565b610140820152611c64611c176102c084016102a08501612c3c565b636eb1769f60e11b611c30610100860160e08701612c3c565b611c4261014087016101208801612c3c565b6040516001600160a01b03928316602482015291166044820152606401611bc5565b6101609091015250565b611c9e8361020001358461026001358360600151611c8c9190613412565b611c9691906136a8565b848484612377565b8060c001518015611cb457506000836102800135115b15611cca57611cca836102800135848484612377565b505050565b6000602083511080611ced575060208351611cea91906132f3565b82115b15611cfa57506000610eda565b50016020015190565b60606000611d1683830160408501612cb6565b611d275763ee21942360e01b611d30565b63c3bce00960e01b5b9050806020611d4185820186612c57565b604051602001611d54949392919061382d565b604051602081830303815290604052915050919050565b6000606060248515611d9557611d9085611d86836080613412565b608087901b612060565b611daa565b611daa85611da48360a0613412565b86612060565b611db5305a876106f4565b9194509092505082158015611dcc57506004825110155b15611e11576000611ddc836136bf565b90506001600160e01b0319811663e0cff05f60e01b1480611e0d57506001600160e01b03198116633ebb2d3960e21b145b9350505b50935093915050565b611e4c6040518060a0016040528060008152602001600081526020016000815260200160008152602001600081525090565b366000611e5c6020850185612c57565b9092509050611e716060850160408601612cb6565b611e8857611e8360e060c083856137e5565b611e96565b611e9660c060a083856137e5565b611e9f9161380f565b604080850191909152611eb89060608601908601612cb6565b1580611ede57506000611ed361014086016101208701612c3c565b6001600160a01b0316145b15611eea575050919050565b6000611efb61010060e084866137e5565b611f049161380f565b611f0f906020613412565b611f1a906014613412565b9050828183611f2a826010613412565b92611f37939291906137e5565b611f4091613859565b60801c60608501528282611f55836010613412565b90611f61846020613412565b92611f6e939291906137e5565b611f7791613859565b608090811c9085015250919392505050565b60008083611f98576004611f9b565b60205b60ff169050611fb883611fae8584611ccf565b610fe99084613412565b949350505050565b6000611fd58383608001518460e0015161104d565b9050622dc6c0811115610eda57611fed603f826136fd565b610cc89082613412565b6000612005610100836136fd565b610eda9060c8613412565b600061271060018161202285876136a8565b61202c9190613412565b61203691906132f3565b61204091906136fd565b610cc89084613412565b60008183116120595781610cc8565b5090919050565b60208351108061207c57506020835161207991906132f3565b82115b1561208657505050565b910160200152565b60006060848460048111156120a5576120a561275d565b908160048111156120b8576120b861275d565b90525050506101009290920191909152506040805160208101909152600080825291565b6060828185810135846120f26020890189612c57565b6040516020016121079695949392919061388f565b60405160208183030381529060405290509392505050565b80602001516121415761010081015161022082015260016101e0909101525050565b60006121516103a0850185612cd3565b600081811061216257612162612c06565b905060a0020160000135905061217b8260600151611ff7565b6121869060026136a8565b6008836060015161219791906136fd565b83606001516121a69190613412565b6121b09190613412565b81106121bc5750505050565b60016101e08301526121df6121d8610100860160e08701612c3c565b82856106f4565b61022085015250151561020090920191909152505050565b816000622dc6c085116122125761220d85611ff7565b61221d565b61221d6010866136fd565b905060005b600084118015612242575061223683611ff7565b61224087856132f3565b115b156122e05760008161225d576122588388613412565b612273565b60026122698589613412565b61227391906136fd565b9050858110158061228a575061228881611020565b155b1561229557506122e0565b60006122a28a838b6106f4565b5050905080156122ba579093506001915083906122cc565b816122c68560046136a8565b90985093505b856122d68161371f565b9650505050612222565b505095945050505050565b60006122fb6103a0830183612cd3565b159050612330576123106103a0830183612cd3565b600081811061232157612321612c06565b905060a0020160000135610eda565b600092915050565b600080600061234b85620493e0866106f4565b925050915081801561235e575080516020145b15611178578080602001905181019061109a91906132c4565b6000816020015161238957600161238c565b60005b905060006123a06060860160408701612cb6565b6123f95760405163a9a2340960e01b906123c290849087908a906024016138c7565b60408051601f198184030181529190526020810180516001600160e01b03166001600160e01b031990931692909217909152612451565b604051637c627b2160e01b9061241e90849087908a906102008b0135906024016138f3565b60408051601f198184030181529190526020810180516001600160e01b03166001600160e01b0319909316929092179091525b9050600061247661246a61014088016101208901612c3c565b876101e00135846106f4565b61012087015290151560c0860181905290915061249557505050610ac8565b60006124d86124ac61014089016101208a01612c3c565b84600085116124bc5760006124c7565b6124c76001866132f3565b8a6101e001358b61024001356121f7565b90508460e001518111156124ee5760e085018190525b5050505050505050565b604051806101600160405280600080191681526020016000815260200160608152602001600081526020016000815260200160001515815260200160608152602001612542612569565b815260200161254f612603565b815260200161255c612603565b8152600060209091015290565b6040805161024081019091528060008152602001600015158152602001600081526020016000815260200160001515815260200160001515815260200160001515815260200160008152602001606081526020016060815260200160008152602001600081526020016060815260200160001515815260200160008152602001600015158152602001600015158152602001606081525090565b60405180608001604052806000151581526020016126496040518060a0016040528060008152602001600081526020016000815260200160008152602001600081525090565b815260006020820152606060409091015290565b60006020828403121561266f57600080fd5b81356001600160401b0381111561268557600080fd5b82016104208185031215610cc857600080fd5b60005b838110156126b357818101518382015260200161269b565b50506000910152565b600081518084526126d4816020860160208601612698565b601f01601f19169290920160200192915050565b600082825180855260208501945060208160051b8301016020850160005b8381101561275157601f198584030188528151805115158452602081015190506040602085015261273a60408501826126bc565b6020998a0199909450929092019150600101612706565b50909695505050505050565b634e487b7160e01b600052602160045260246000fd5b6005811061279157634e487b7160e01b600052602160045260246000fd5b9052565b6127a0828251612773565b600060208201516127b5602085018215159052565b50604082015160408401526060820151606084015260808201516127dd608085018215159052565b5060a08201516127f160a085018215159052565b5060c082015161280560c085018215159052565b5060e082015160e084015261010082015161024061010085015261282d6102408501826126bc565b905061012083015184820361012086015261284882826126bc565b91505061014083015161014085015261016083015161016085015261018083015184820361018086015261287c82826126bc565b9150506101a08301516128946101a086018215159052565b506101c08301516101c08501526101e08301516128b66101e086018215159052565b506102008301516128cc61020086018215159052565b5061022083015184820361022086015261109a82826126bc565b8051151582526000602082015180516020850152602081015160408501526040810151606085015260608101516080850152608081015160a085015250604082015161293660c085018215159052565b50606082015161010060e0850152611fb86101008501826126bc565b6020815281516020820152602082015160408201526000604083015161016060608401526129846101808401826126e8565b905060608401516080840152608084015160a084015260a08401516129ad60c085018215159052565b5060c0840151838203601f190160e08501526129c982826126bc565b91505060e0840151601f19848303016101008501526129e88282612795565b915050610100840151601f1984830301610120850152612a0882826128e6565b915050610120840151601f1984830301610140850152612a2882826128e6565b915050610140840151612a4061016085018215159052565b509392505050565b60008083601f840112612a5a57600080fd5b5081356001600160401b03811115612a7157600080fd5b60208301915083602082850101111561101957600080fd5b60008060208385031215612a9c57600080fd5b82356001600160401b03811115612ab257600080fd5b612abe85828601612a48565b90969095509350505050565b80356001600160a01b038116811461039157600080fd5b600080600060408486031215612af657600080fd5b612aff84612aca565b925060208401356001600160401b03811115612b1a57600080fd5b612b2686828701612a48565b9497909650939450505050565b8215158152604060208201526000611fb860408301846126bc565b60008060008060608587031215612b6457600080fd5b612b6d85612aca565b93506020850135925060408501356001600160401b03811115612b8f57600080fd5b612b9b87828801612a48565b95989497509550505050565b6000808335601e19843603018112612bbe57600080fd5b8301803591506001600160401b03821115612bd857600080fd5b6020019150600581901b360382131561101957600080fd5b634e487b7160e01b600052604160045260246000fd5b634e487b7160e01b600052603260045260246000fd5b60008235603e19833603018112612c3257600080fd5b9190910192915050565b600060208284031215612c4e57600080fd5b610cc882612aca565b6000808335601e19843603018112612c6e57600080fd5b8301803591506001600160401b03821115612c8857600080fd5b60200191503681900382131561101957600080fd5b801515811461049957600080fd5b803561039181612c9d565b600060208284031215612cc857600080fd5b8135610cc881612c9d565b6000808335601e19843603018112612cea57600080fd5b8301803591506001600160401b03821115612d0457600080fd5b602001915060a08102360382131561101957600080fd5b60405161024081016001600160401b0381118282101715612d3e57612d3e612bf0565b60405290565b600060a0828403128015612d5757600080fd5b5060405160009060a081016001600160401b0381118282101715612d7d57612d7d612bf0565b6040908152843582526020808601359083015284810135908201526060808501359082015260809384013593810193909352509092915050565b6000808335601e19843603018112612dce57600080fd5b83016020810192503590506001600160401b03811115612ded57600080fd5b8060051b360382131561101957600080fd5b6000808335601e19843603018112612e1657600080fd5b83016020810192503590506001600160401b03811115612e3557600080fd5b80360382131561101957600080fd5b81835281816020850137506000828201602090810191909152601f909101601f19169091010190565b60008383855260208501945060208460051b8201018360005b8681101561275157838303601f19018852813536879003603e19018112612eac57600080fd5b86016001600160a01b03612ebf82612aca565b168452612ecf6020820182612dff565b915060406020860152612ee6604086018383612e44565b60209a8b019a90955093909301925050600101612e86565b81835260006001600160fb1b03831115612f1757600080fd5b8260051b80836020870137939093016020019392505050565b6000808335601e19843603018112612f4757600080fd5b83016020810192503590506001600160401b03811115612f6657600080fd5b60a08102360382131561101957600080fd5b81835260208301925060008160005b84811015612fcd57813586526020808301359087015260408083013590870152606080830135908701526080808301359087015260a09586019590910190600101612f87565b5093949350505050565b602081526000612fe78384612db7565b6104206020850152612ffe61044085018284612e6d565b91505061300e6020850185612dff565b848303601f19016040860152613025838284612e44565b9250505061303560408501612cab565b801515606085015250606084013560808481019190915284013560a080850191909152613063908501612aca565b6001600160a01b03811660c08501525061308060c0850185612dff565b848303601f190160e0860152613097838284612e44565b925050506130a760e08501612aca565b6001600160a01b038116610100850152506130c56101008501612cab565b801515610120850152506130dc6101208501612aca565b6001600160a01b038116610140850152506130fb610140850185612db7565b848303601f1901610160860152613113838284612efe565b925050506131246101608501612cab565b801515610180850152506101808401356101a0848101919091528401356101c0808501919091528401356101e08085019190915284013561020080850191909152840135610220808501919091528401356102408085019190915284013561026080850191909152840135610280808501919091528401356102a0808501919091526131b1908501612aca565b6001600160a01b0381166102c0850152506131cf6102c08501612cab565b8015156102e08501525061321d61030084016102e08601803582526020808201359083015260408082013590830152606080820135908301526080808201359083015260a090810135910152565b61322b6103a0850185612f30565b848303601f19016103c0860152613243838284612f78565b925050506132546103c08501612cab565b8015156103e0850152506103e08401356104008481019190915290930135610420909201919091525090565b602081526000610cc86020830184612795565b8183823760009101908152919050565b831515815282602082015260606040820152600061109a60608301846126bc565b6000602082840312156132d657600080fd5b5051919050565b634e487b7160e01b600052601160045260246000fd5b81810381811115610eda57610eda6132dd565b60018060a01b038416815282602082015260606040820152600061109a60608301846126bc565b805161039181612c9d565b600082601f83011261334957600080fd5b81516001600160401b0381111561336257613362612bf0565b604051601f8201601f19908116603f011681016001600160401b038111828210171561339057613390612bf0565b6040528181528382016020018510156133a857600080fd5b611fb8826020830160208701612698565b6000806000606084860312156133ce57600080fd5b83516133d981612c9d565b6020850151604086015191945092506001600160401b038111156133fc57600080fd5b61340886828701613338565b9150509250925092565b80820180821115610eda57610eda6132dd565b63ffffffff60e01b8816815286600482015285602482015284604482015282846064830137606492019182015260840195945050505050565b602081526000610cc860208301846126bc565b60008251612c32818460208701612698565b6000806040838503121561349657600080fd5b82516134a181612c9d565b60208401519092506001600160401b038111156134bd57600080fd5b6134c985828601613338565b9150509250929050565b80516005811061039157600080fd5b6000602082840312156134f457600080fd5b81516001600160401b0381111561350a57600080fd5b8201610240818503121561351d57600080fd5b613525612d1b565b61352e826134d3565b815261353c6020830161332d565b602082015260408281015190820152606080830151908201526135616080830161332d565b608082015261357260a0830161332d565b60a082015261358360c0830161332d565b60c082015260e082810151908201526101008201516001600160401b038111156135ac57600080fd5b6135b886828501613338565b610100830152506101208201516001600160401b038111156135d957600080fd5b6135e586828501613338565b61012083015250610140828101519082015261016080830151908201526101808201516001600160401b0381111561361c57600080fd5b61362886828501613338565b6101808301525061363c6101a0830161332d565b6101a08201526101c0828101519082015261365a6101e0830161332d565b6101e082015261366d610200830161332d565b6102008201526102208201516001600160401b0381111561368d57600080fd5b61369986828501613338565b61022083015250949350505050565b8082028115828204841417610eda57610eda6132dd565b805160208201516001600160e01b03198116919060048210156136f6576001600160e01b0319600483900360031b81901b82161692505b5050919050565b60008261371a57634e487b7160e01b600052601260045260246000fd5b500490565b60008161372e5761372e6132dd565b506000190190565b80356001600160e01b03198116906004841015613767576001600160e01b0319600485900360031b81901b82161691505b5092915050565b6000806040838503121561378157600080fd5b82516001600160401b0381111561379757600080fd5b6137a385828601613338565b602094909401519395939450505050565b63ffffffff60e01b861681528460048201528360248201528183604483013760009101604401908152949350505050565b600080858511156137f557600080fd5b8386111561380257600080fd5b5050820193919092039150565b80356020831015610eda57600019602084900360031b1b1692915050565b6001600160e01b0319851681526004810184905281836024830137600091016024019081529392505050565b80356001600160801b03198116906010841015613767576001600160801b031960109490940360031b84901b1690921692915050565b63ffffffff60e01b87168152856004820152846024820152836044820152818360648301376000910160640190815295945050505050565b60ff841681526060602082015260006138e360608301856126bc565b9050826040830152949350505050565b60ff8516815260806020820152600061390f60808301866126bc565b604083019490945250606001529291505056';
