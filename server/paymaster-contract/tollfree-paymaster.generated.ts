// Made from contracts/TollfreePaymaster.sol by `npm run generate`. Do not edit.
export const tollfreePaymasterAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "entryPoint_",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "owner_",
        "type": "address"
      },
      {
        "internalType": "address[]",
        "name": "signers_",
        "type": "address[]"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "advance",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "most",
        "type": "uint256"
      }
    ],
    "name": "AdvanceTooHigh",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "bundler",
        "type": "address"
      }
    ],
    "name": "BundlerNotAllowed",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "NoSigner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotEntryPoint",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotOwner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotPendingOwner",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "TermsNotUnderstood",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
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
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "TokenTransferFailed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint48",
        "name": "validUntil",
        "type": "uint48"
      },
      {
        "internalType": "uint48",
        "name": "validAfter",
        "type": "uint48"
      }
    ],
    "name": "WindowNotUnderstood",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "bundler",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "bool",
        "name": "allowed",
        "type": "bool"
      }
    ],
    "name": "BundlerAllowed",
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
      }
    ],
    "name": "OwnershipOffered",
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
      }
    ],
    "name": "OwnershipTaken",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "signer",
        "type": "address"
      }
    ],
    "name": "SignerAdded",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "signer",
        "type": "address"
      }
    ],
    "name": "SignerRemoved",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "userOpHash",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "sender",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "TokensPaid",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "acceptOwnership",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "signer",
        "type": "address"
      }
    ],
    "name": "addSigner",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "unstakeDelaySec",
        "type": "uint32"
      }
    ],
    "name": "addStake",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "deposit",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "entryPoint",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "getDeposit",
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
        "components": [
          {
            "internalType": "address",
            "name": "sender",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "nonce",
            "type": "uint256"
          },
          {
            "internalType": "bytes",
            "name": "initCode",
            "type": "bytes"
          },
          {
            "internalType": "bytes",
            "name": "callData",
            "type": "bytes"
          },
          {
            "internalType": "bytes32",
            "name": "accountGasLimits",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "preVerificationGas",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "gasFees",
            "type": "bytes32"
          },
          {
            "internalType": "bytes",
            "name": "paymasterAndData",
            "type": "bytes"
          },
          {
            "internalType": "bytes",
            "name": "signature",
            "type": "bytes"
          }
        ],
        "internalType": "struct PackedUserOperation",
        "name": "op",
        "type": "tuple"
      }
    ],
    "name": "getHash",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "bundler",
        "type": "address"
      }
    ],
    "name": "isBundlerAllowed",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "owner",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "pendingOwner",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "",
        "type": "uint8"
      },
      {
        "internalType": "bytes",
        "name": "context",
        "type": "bytes"
      },
      {
        "internalType": "uint256",
        "name": "actualGasCost",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "actualUserOpFeePerGas",
        "type": "uint256"
      }
    ],
    "name": "postOp",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "signer",
        "type": "address"
      }
    ],
    "name": "removeSigner",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "signer",
        "type": "address"
      }
    ],
    "name": "signers",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
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
      }
    ],
    "name": "transferOwnership",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "unlockStake",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address[]",
        "name": "bundlers",
        "type": "address[]"
      },
      {
        "internalType": "bool",
        "name": "allowed",
        "type": "bool"
      }
    ],
    "name": "updateBundlerAllowlist",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "sender",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "nonce",
            "type": "uint256"
          },
          {
            "internalType": "bytes",
            "name": "initCode",
            "type": "bytes"
          },
          {
            "internalType": "bytes",
            "name": "callData",
            "type": "bytes"
          },
          {
            "internalType": "bytes32",
            "name": "accountGasLimits",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "preVerificationGas",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "gasFees",
            "type": "bytes32"
          },
          {
            "internalType": "bytes",
            "name": "paymasterAndData",
            "type": "bytes"
          },
          {
            "internalType": "bytes",
            "name": "signature",
            "type": "bytes"
          }
        ],
        "internalType": "struct PackedUserOperation",
        "name": "op",
        "type": "tuple"
      },
      {
        "internalType": "bytes32",
        "name": "userOpHash",
        "type": "bytes32"
      },
      {
        "internalType": "uint256",
        "name": "maxCost",
        "type": "uint256"
      }
    ],
    "name": "validatePaymasterUserOp",
    "outputs": [
      {
        "internalType": "bytes",
        "name": "context",
        "type": "bytes"
      },
      {
        "internalType": "uint256",
        "name": "validationData",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address payable",
        "name": "receiver",
        "type": "address"
      }
    ],
    "name": "withdrawStake",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address payable",
        "name": "receiver",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "withdrawTo",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const;

export const tollfreePaymasterBytecode =
  '0x60a0604052346101cf57611f8580380380610019816101e7565b9283398101906060818303126101cf576100328161020c565b61003e6020830161020c565b604083015190926001600160401b0382116101cf57019280601f850112156101cf578351936001600160401b0385116101d3578460051b906020806100848185016101e7565b8098815201928201019283116101cf57602001905b8282106101b7575050506080525f80546001600160a01b0319166001600160a01b039290921691821781557fbedcf290cbec9017e1f65a01fed8e5e2c76cb1d77d9d3ddb332fe29256ed35328180a35f5b815181101561016057600581901b8201602001516001600160a01b031690811561015157816001925f52600260205260405f208360ff198254161790557f47d1c22a25bb3a5d4e481b9b1e6944c2eade3181a0a20b495ed61d35b5323f245f80a2016100ea565b6322fa6de160e11b5f5260045ffd5b604051611d64908161022182396080518181816103650152818161046901528181610555015281816106400152818161071c015281816109c301528181610e5f0152818161157f015281816117400152611adf0152f35b602080916101c48461020c565b815201910190610099565b5f80fd5b634e487b7160e01b5f52604160045260245ffd5b6040519190601f01601f191682016001600160401b038111838210176101d357604052565b51906001600160a01b03821682036101cf5756fe6080806040526004361015610012575f80fd5b5f905f3560e01c9081630396cb60146116ce575080630e316ab714611609578063205c2878146115105780634031c20e146114a857806352b7512c14610dd45780637286b32414610d32578063736c0d5b14610cca57806379ba509714610be25780637c627b211461092f5780637dd345cb146107915780638da5cb5b14610740578063b0d691fe146106d1578063bb9fe6bf146105db578063c23a5cea146104e6578063c399ec88146103f0578063d0e30db014610323578063e30c3978146102d1578063eb12d61e146101db5763f2fde38b146100ef575f80fd5b346101d85760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d8576101266117ee565b73ffffffffffffffffffffffffffffffffffffffff82541633036101ac5773ffffffffffffffffffffffffffffffffffffffff16807fffffffffffffffffffffffff00000000000000000000000000000000000000006001541617600155337f278a93ce3591db94ed65bf1107826228ec69e444fbe2006b25e1ba8f18955b7f8380a380f35b6024827f245aecd300000000000000000000000000000000000000000000000000000000815233600452fd5b80fd5b50346101d85760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d8576102136117ee565b73ffffffffffffffffffffffffffffffffffffffff82541633036101ac5773ffffffffffffffffffffffffffffffffffffffff1680156102a95780825260026020526040822060017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff008254161790557f47d1c22a25bb3a5d4e481b9b1e6944c2eade3181a0a20b495ed61d35b5323f248280a280f35b6004827f45f4dbc2000000000000000000000000000000000000000000000000000000008152fd5b50346101d857807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d857602073ffffffffffffffffffffffffffffffffffffffff60015416604051908152f35b50807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d8578073ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016803b156103ed5781602491604051928380927fb760faf900000000000000000000000000000000000000000000000000000000825230600483015234905af180156103e2576103d15750f35b816103db9161187b565b6101d85780f35b6040513d84823e3d90fd5b50fd5b50346101d857807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d857604051907f70a0823100000000000000000000000000000000000000000000000000000000825230600483015260208260248173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000165afa9081156104da57906104a3575b602090604051908152f35b506020813d6020116104d2575b816104bd6020938361187b565b810103126104ce5760209051610498565b5f80fd5b3d91506104b0565b604051903d90823e3d90fd5b50346101d85760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d85761051e6117ee565b73ffffffffffffffffffffffffffffffffffffffff82541633036101ac57819073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001690813b156105d75773ffffffffffffffffffffffffffffffffffffffff602484928360405195869485937fc23a5cea0000000000000000000000000000000000000000000000000000000085521660048401525af180156103e2576103d15750f35b5050fd5b50346101d857807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d85773ffffffffffffffffffffffffffffffffffffffff81541633036106a5578073ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016803b156103ed578180916004604051809481937fbb9fe6bf0000000000000000000000000000000000000000000000000000000083525af180156103e2576103d15750f35b807f245aecd3000000000000000000000000000000000000000000000000000000006024925233600452fd5b50346101d857807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d857602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b50346101d857807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d85773ffffffffffffffffffffffffffffffffffffffff6020915416604051908152f35b50346101d85760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d85760043567ffffffffffffffff811161092b573660238201121561092b57806004013567ffffffffffffffff8111610927576024820191602436918360051b01011161092757602435908115158092036109235773ffffffffffffffffffffffffffffffffffffffff84541633036108f75760ff821692845b828110610844578580f35b8073ffffffffffffffffffffffffffffffffffffffff61086f61086a600194878761192a565b6118bc565b168752600360205260408720867fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0082541617905573ffffffffffffffffffffffffffffffffffffffff6108c661086a83878761192a565b167f9f294ed1ccd73b4359a8caf9aca0a90753b8c19fcf6379709262f7adec62b4f26020604051888152a201610839565b6024847f245aecd300000000000000000000000000000000000000000000000000000000815233600452fd5b8380fd5b8280fd5b5080fd5b50346101d85760807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d85760043560ff8116036101d85760243567ffffffffffffffff811161092b573660238201121561092b57806004013567ffffffffffffffff8111610927578101366024820111610927576044359073ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000163303610bb65760e0908390031261092757604051610a0081611832565b60248301358152610a1360448401611811565b9060208101918252610a2760648501611811565b9260408201938452610a3b60848601611811565b90606083019182526080830160a48701358152610a7060e460a086019860c48101358a5201358060c0870152606435906118dd565b8201809211610b895751610a83916118dd565b670de0b6b3a7640000810190818111610b8957670de0b6b3a763ffff01908111610b5c5773ffffffffffffffffffffffffffffffffffffffff7fa0466bba46847b1b7144c9d69ba1795b77d73864d0b01f5d44f288a36a92e88993602093670de0b6b3a7640000839404985190818a115f14610b2c57610b1a91848a511691610b1486808c5116925116928d61191d565b92611b4b565b5194511694511694604051908152a480f35b818a10610b3b575b5050610b1a565b610b559184808b5116925116610b148c878c51169361191d565b5f80610b34565b6024877f4e487b710000000000000000000000000000000000000000000000000000000081526011600452fd5b6024887f4e487b710000000000000000000000000000000000000000000000000000000081526011600452fd5b6024847f7a81a53a00000000000000000000000000000000000000000000000000000000815233600452fd5b50346101d857807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d85760015473ffffffffffffffffffffffffffffffffffffffff81163303610c9e577fffffffffffffffffffffffff00000000000000000000000000000000000000009082543373ffffffffffffffffffffffffffffffffffffffff82167fbedcf290cbec9017e1f65a01fed8e5e2c76cb1d77d9d3ddb332fe29256ed35328680a38216331783551660015580f35b6024827fa09b9a4300000000000000000000000000000000000000000000000000000000815233600452fd5b50346101d85760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d85760ff604060209273ffffffffffffffffffffffffffffffffffffffff610d1e6117ee565b168152600284522054166040519015158152f35b50346101d85760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d8576004359067ffffffffffffffff82116101d8576101207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc83360301126101d8576020610dcc8360e48101358101610dc160046024830192013582611967565b929050600401611a63565b604051908152f35b50346101d85760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d85760043567ffffffffffffffff811161092b5780600401906101207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc82360301126109275773ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016330361147c5760e481013501906024820191610e9f600482013584611967565b909360028516151580611465575b6114395781610ebc9185611a63565b85907b19457468657265756d205369676e6564204d6573736167653a0a3332875260205285603c6004206004848601017f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a060408201351115611407575b50505073ffffffffffffffffffffffffffffffffffffffff168552600260205260ff604086205416916059810135928360d01c92605f830135938460d01c906580000000000082821710806113fe575b15806113de575b6113b057505081156113a85787925b60018816156113465760405197610f9589611832565b8960208a0152670de0b6b3a764000061101e8a73ffffffffffffffffffffffffffffffffffffffff611010608083019c8d93606589013560601c6040820152607989013560801c809552608989013560601c6060820152609d89013560801c60a082015260ad89013560e01c60c082015260243590526118bc565b1660208d01526044356118dd565b0460a08a01518181116113185750509060088a9392166111e9575b505050806111dc575b611177575b60405194602086019481518652602082015173ffffffffffffffffffffffffffffffffffffffff166040880152604082015173ffffffffffffffffffffffffffffffffffffffff166060880152606082015173ffffffffffffffffffffffffffffffffffffffff1660808801525160a087015260a081015160c087015260c0015160e086015260e085526110dd6101008661187b565b60405195869560408752518095816040890152606088015e8486016060015260ff169160301c79ffffffffffff000000000000000000000000000000000000000016907fffffffffffff00000000000000000000000000000000000000000000000000001617176020830152601f017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe01681010360600190f35b6111d773ffffffffffffffffffffffffffffffffffffffff60408701511673ffffffffffffffffffffffffffffffffffffffff60208801511673ffffffffffffffffffffffffffffffffffffffff6060890151169060a089015192611b4b565b611047565b5060a08501511515611042565b82918273ffffffffffffffffffffffffffffffffffffffff60408c0151169173ffffffffffffffffffffffffffffffffffffffff60208d0151169360f381017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff31830191604051966020880152306040880152604060b18201606089013760e490604184146001146112f1575050601c927fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0927fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff5092639fd5a6cf895260a0808a01528160c08a015260e08901378460118289010152011660c401935b01915af150865f80611039565b63d505accf88526101330135851a60a088015295601c9350915060409060c08301376112e4565b7f31b9e689000000000000000000000000000000000000000000000000000000008c5260045260245260448afd5b6060848a88887fffffffffffff000000000000000000000000000000000000000000000000000079ffffffffffff000000000000000000000000000000000000000060ff6040519660408852169360301c169116171760208301526040820152f35b600192610f7f565b7f1aab5511000000000000000000000000000000000000000000000000000000008a52600452602452604488fd5b506580000000000081111580610f70575065800000000000821115610f70565b50801515610f69565b602093509060408460809382519384526060810135861a82850152018183013782805260015afa508451855f80610f19565b6024867f55d3ab4600000000000000000000000000000000000000000000000000000000815232600452fd5b50328652600360205260ff60408720541615610ead565b6024837f7a81a53a00000000000000000000000000000000000000000000000000000000815233600452fd5b50346101d85760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d85760ff604060209273ffffffffffffffffffffffffffffffffffffffff6114fc6117ee565b168152600384522054166040519015158152f35b50346101d85760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d8576115486117ee565b73ffffffffffffffffffffffffffffffffffffffff82541633036101ac57819073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001690813b156105d75773ffffffffffffffffffffffffffffffffffffffff604484928360405195869485937f205c287800000000000000000000000000000000000000000000000000000000855216600484015260243560248401525af180156103e2576103d15750f35b50346101d85760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126101d8576116416117ee565b73ffffffffffffffffffffffffffffffffffffffff82541633036101ac5773ffffffffffffffffffffffffffffffffffffffff168082526002602052604082207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0081541690557f3525e22824a8a7df2c9a6029941c824cf95b6447f1e13d5128fd3826d35afe8b8280a280f35b905060207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126104ce5760043563ffffffff81168091036104ce5773ffffffffffffffffffffffffffffffffffffffff5f541633036117c25773ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001690813b156104ce576024835f9381937f0396cb60000000000000000000000000000000000000000000000000000000008352600483015234905af180156117b7576117a9575080f35b6117b591505f9061187b565b005b6040513d5f823e3d90fd5b7f245aecd3000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b6004359073ffffffffffffffffffffffffffffffffffffffff821682036104ce57565b359073ffffffffffffffffffffffffffffffffffffffff821682036104ce57565b60e0810190811067ffffffffffffffff82111761184e57604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff82111761184e57604052565b3573ffffffffffffffffffffffffffffffffffffffff811681036104ce5790565b818102929181159184041417156118f057565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b919082039182116118f057565b919081101561193a5760051b0190565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b91603483013560f81c9260069060419360018616611a40575b600486161515928611908115611a20575b506119a6578390826119ce575b50506119a657565b7fcb4f3e23000000000000000000000000000000000000000000000000000000005f5260045ffd5b01604101357fffffffffffffffffffff00000000000000000000000000000000000000000000167e4122e325a2974396560000000000000000000000000000000000000000000014159050825f61199e565b90508215611a3657604b8501905b14155f611991565b6041850190611a2e565b608d9450600f925060088616156119805760cf60cd83013560f01c019450611980565b9161016c916040840135840160208101903590611aa78260405181848237209260608801358801803590816020604051920182372092611aa2896118bc565b611ccb565b9160e0604051977f63ee8578e31656197e75189dc44b27f1f7398364a05a37d9c22844f37d9d1f4889524660208a01523060408a01527f000000000000000000000000000000000000000000000000000000000000000060608a0152608089013760c087015260e086015261016085015260147fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec8301910161018085013701902090565b92915f806040519373ffffffffffffffffffffffffffffffffffffffff8060208701927f23b872dd0000000000000000000000000000000000000000000000000000000084521694856024880152169485604482015286606482015260648152611bb660848261187b565b519082885af13d15611cc4573d67ffffffffffffffff811161184e5760405190611c0860207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f840116018361187b565b81523d5f602083013e5b805180611c95575050843b1515905b15908115611c8c575b50611c355750505050565b6084945073ffffffffffffffffffffffffffffffffffffffff604051947fabae3d6d000000000000000000000000000000000000000000000000000000008652166004850152602484015260448301526064820152fd5b9050155f611c2a565b60208110159182611ca9575b505090611c21565b6020818101935091810103126104ce57516001145f80611ca1565b6060611c12565b918015918215611cef575b5050611cea575f806017928180523c5f5190565b505f90565b7f77020000000000000000000000000000000000000000000000000000000000009250907fffffffffffffffffffffffffffffffffffffffff00000000000000000000000091358281169160148110611d4f575b50501614155f80611cd6565b839250829060140360031b1b16165f80611d4356';
