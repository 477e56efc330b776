import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { CodeMark } from './known-code.ts';

/**
 * What a contract does: runs as the account, behind a proxy or by delegation (`implementation`), only by EIP-7702
 * (`delegate`), creates accounts (`factory`), only delegates (`proxy`), names the target of a proxy (`beacon`), or is called
 * by accounts or during their creation (`helper`).
 */
export type CodeRole = 'implementation' | 'delegate' | 'factory' | 'proxy' | 'beacon' | 'helper';

/** A file of a published package, or of a repository at a commit. It contains the `code` or its `address`. */
export type CodeSource = (
  | { readonly package: string; readonly version: string }
  | { readonly repository: string; readonly commit: string; readonly compiler?: string }
) & { readonly file: string; readonly has: 'code' | 'address' };

export type KnownCode = {
  readonly role: CodeRole;
  /** The contract's name, with its version if the kind has several. */
  readonly contract: string;
  readonly mark: CodeMark;
  /** The slot that holds the proxy's target; the EIP-1967 slot when absent. */
  readonly slot?: 'beacon' | 'first' | 'own-address';
  readonly source: CodeSource;
};

/** The code of one kind of account, or of a proxy that several kinds use. */
export type CatalogueEntry = {
  readonly kind: string;
  readonly entryPoints: readonly EntryPointVersion[];
  /** Contracts that ran as an account in a test, with their published code. The others were only recognized. */
  readonly tried: readonly string[];
  /** Contracts of this kind that are not recognized, each with its reason. */
  readonly notKnown?: readonly string[];
  readonly codes: readonly KnownCode[];
};

/** Files of a package that contain code or addresses. */
function npm(name: string, version: string) {
  return {
    code: (file: string): CodeSource => ({ package: name, version, file, has: 'code' }),
    address: (file: string): CodeSource => ({ package: name, version, file, has: 'address' }),
  };
}

/** Files of a GitHub repository at a commit. CREATE2 derives the address from the code and the salt published next to it. */
function github(repository: string, commit: string, compiler?: string) {
  const at = { repository, commit, ...(compiler === undefined ? {} : { compiler }) };
  return {
    code: (file: string): CodeSource => ({ ...at, file, has: 'code' }),
    address: (file: string): CodeSource => ({ ...at, file, has: 'address' }),
  };
}

const aa06 = npm('@account-abstraction/contracts', '0.6.0');
const aa07 = npm('@account-abstraction/contracts', '0.7.0');
const aa08 = npm('@account-abstraction/contracts', '0.8.0');
const aa09 = npm('@account-abstraction/contracts', '0.9.0-rc.1');
const openZeppelin = npm('@openzeppelin/contracts', '4.9.6');
const viem = npm('viem', '2.57.20');
const permissionless = npm('permissionless', '0.4.1');
const biconomyCommon = npm('@biconomy/common', '3.1.4');
const abstractjs = npm('@biconomy/abstractjs', '1.2.3').address('dist/_esm/constants/index.js');
const safe141 = npm('@safe-global/safe-contracts', '1.4.1');
const safe150 = npm('@safe-global/safe-smart-account', '1.5.0');
const safe4337 = npm('@safe-global/safe-4337', '0.3.0');
const safeModules = npm('@safe-global/safe-modules-deployments', '3.0.10');
const abstractionkit = npm('abstractionkit', '0.2.41').address('dist/index.mjs');
const rhinestone = npm('@rhinestone/sdk', '1.15.0');
const nexusOfRhinestone = github('rhinestonewtf/nexus', '6d1479de2702d19dedc4138638dbee64dea7b0d5').code(
  'artifacts/Nexus/Nexus.json',
);
const kernel2 = github('zerodevapp/kernel', 'e00c66aa82f6d04809c908d2df27d0bac64785ff').code(
  'src/factory/AdminLessERC1967Factory.sol',
);
const startale = github(
  'StartaleLabs/scs-aa-account-contracts',
  '576a6ed6ca0be83e816d29f4f3665bf2799ac4dc',
  'solc 0.8.30',
);
const solady = npm('solady', '0.0.235');
const alchemy = npm('@alchemy/aa-accounts', '3.19.0');
const accountKit = npm('@account-kit/smart-contracts', '4.88.5').address('src/ma-v2/utils.ts');
const metamask = npm('@metamask/delegation-abis', '0.11.0').code('dist/index.mjs');
const delegationFramework = github('MetaMask/delegation-framework', 'd2811d6d8db7c067e6ebdc236cd8fc1c98c77d81');
const metamaskRun = delegationFramework.code('broadcast/DeployDelegationFramework.s.sol/1/run-1743424174.json');
const metamask7702Run = delegationFramework.code(
  'broadcast/DeployEIP7702StatelessDeleGator.s.sol/1/run-1743425713.json',
);
const metamaskFactoryRun = delegationFramework.code('broadcast/DeploySimpleFactory.s.sol/1/run-1744129586.json');
const coinbase = github('coinbase/smart-wallet', '924743be62699b1f667e78c2971499ef29249d4f');
const modularAccountRun = github('alchemyplatform/modular-account', '74fe1bfa056bbd41c933990fca0598c8cc3e90e8').code(
  'broadcast/Deploy.s.sol/1/run-1707343636.json',
);
const modularAccount2 = github(
  'alchemyplatform/modular-account',
  'bd75c9eca7ff5a66aaebc3cf2dab43ddc4622482',
  'solc 0.8.26',
);
const lightAccountRun = github('alchemyplatform/light-account', '3de60d2bd3302da5df29dabb72d5a307e30ca36d').code(
  'broadcast/Deploy_LightAccountFactory.s.sol/1/run-1704925372.json',
);
const circle = github('circlefin/buidl-wallet-contracts', '1391f655239337f2f8962596088bffb88e574fae', 'solc 0.8.24');
const pimlico = github('pimlicolabs/permissionless.js', 'aa831755e9355c913132a90c5bca030ad8325c05');
const pimlicoAccounts = 'packages/permissionless-test/mock-aa-infra/alto/constants/accounts';
const calibur = github('Uniswap/contracts', 'b246f140faf6a760b3a92bfc3c0b13a3b5b44f15').code(
  'broadcast/Deploy-all.s.sol/130/run-1748028920.json',
);

/** The factory makes the account's code itself. */
const lightAccount2Code = pimlico.code(`${pimlicoAccounts}/light.ts`);
const kernelCode = pimlico.code(`${pimlicoAccounts}/kernel.ts`);
/** The factory makes the account's code itself. */
const thirdwebCode = pimlico.code(`${pimlicoAccounts}/thirdweb.ts`);

const simpleAccountImmutables = [496, 935, 1430, 1926, 2244, 2488, 3317, 3530, 4134] as const;

/**
 * All code known without an operator's entry, one row per contract, with its source. Addresses are derived by CREATE2 from
 * the code, or are the first contract of a factory with such an address.
 */
export const catalogue: readonly CatalogueEntry[] = [
  simpleAccount('0.6', aa06, {
    made: {
      codeHash: '0x16b853660bff2f70762045a374962e98f85d5b1afa6641c8b1b038968a91e85f',
      immutables: [815, 1643, 1819, 2177, 2344, 2540, 2716, 3045, 3404, 3997, 4068, 4918, 5621],
    },
    account: {
      codeHash: '0x7413d32e10f00187589aeef3f8030eb2e575ba3b7621091369c9de9aed38fc2a',
      immutables: [1507, 2050, 2299, 2532, 3113, 3590, 3965, 4468, 5056, 7172, 7267],
    },
    factory: {
      codeHash: '0x5bf8c8fe80c8f04fa7a777b8b83c75d3fcba08f2c9d3073733f27d164327afb8',
      immutables: [75, 276, 600],
    },
    proxy: '0x0acbd632c56f6f227951f6c832b36177319145deddb8df3a12c3bcc91fbf49b3',
  }),
  simpleAccount('0.7', aa07, {
    made: {
      codeHash: '0xf2f46832e632c56f36aac550a60db6c38d1703708d471a86b05597441e5c2280',
      immutables: [800, 1776, 1950, 2342, 2915, 2986, 3434, 3891, 3932, 4477, 4638],
    },
    account: {
      codeHash: '0x2b8d3826f461fd00f8569181b4a7ce8c8611d5ac5a7cc21016288525b1116b2d',
      immutables: [871, 1553, 1776, 2303, 2813, 3301, 3772, 4516, 5276, 5710],
    },
    factory: {
      codeHash: '0x2b468f6e577646b5aef1d88d2b54aeacb2364f943da7dcbbc3cfb9b2f253e08d',
      immutables: [75, 276, 600],
    },
    proxy: '0x0cf33e42b59cd30ce43a3d95a9c4de2589047c5e0968708337764f9776097210',
  }),
  simpleAccount('0.8', aa08, {
    made: {
      codeHash: '0x66afc1526ea3b7fb7d2f298cdc604b4169293fb9399dce9d07842d5d928584d8',
      immutables: [...simpleAccountImmutables, 5395],
    },
    account: {
      codeHash: '0x013b950eb5d44a379995379da00f9fdf0cc2bfce392e4b476defc6b61e8928c4',
      immutables: [...simpleAccountImmutables, 5395],
    },
    factory: {
      codeHash: '0x81a1a5e5faf3f52e1831f910a1fc05c9461ae5e92bf5e1ca48a2800bab15b354',
      immutables: [230, 893, 1247, 338, 690],
    },
    proxy: '0x41ee894da413cc99e8dec0a1784470eceb736845ad1591e06ff0ecdf0aca26c9',
  }),
  simpleAccount('0.9', aa09, {
    made: {
      codeHash: '0xde7f48b1b9203258922919b7881d8d56d0dc95d947b4f17d4c68cda732d4d13a',
      immutables: [...simpleAccountImmutables, 5354],
    },
    account: {
      codeHash: '0xa7736daa19fa6b53b3f956f0ce367a5da8eedc905ecc621d152b206b6f5540ac',
      immutables: [...simpleAccountImmutables, 5354],
    },
    factory: {
      codeHash: '0xc3d5960e70fcedb13e6cd992e7139a78c6d1b59edf2c988caaf352216f522c04',
      immutables: [230, 895, 1206, 338, 690],
    },
    proxy: '0x41ee894da413cc99e8dec0a1784470eceb736845ad1591e06ff0ecdf0aca26c9',
  }),
  {
    kind: 'Simple7702Account 0.8',
    entryPoints: ['0.8'],
    tried: ['Simple7702Account'],
    codes: [
      ...from(aa08.code('artifacts/Simple7702Account.json'), [
        ['delegate', 'Simple7702Account', '0xcc7b633aef4b2543cb8f37522adf1a401f910f0f6b2430c1eecc11f401ccfcf3'],
      ]),
      ...from(viem.address('account-abstraction/accounts/implementations/toSimple7702SmartAccount.ts'), [
        ['delegate', 'Simple7702Account', '0xe6Cae83BdE06E4c305530e199D7217f42808555B'],
      ]),
    ],
  },
  {
    kind: 'Simple7702Account 0.9',
    entryPoints: ['0.9'],
    tried: [],
    codes: [
      {
        role: 'delegate',
        contract: 'Simple7702Account',
        mark: {
          codeHash: '0x00e5a82089360fa65a9e59cedd12986c5f1af625f2d957faf97699403567404a',
          immutables: [404, 983, 1604, 3143, 3191],
        },
        source: aa09.code('artifacts/Simple7702Account.json'),
      },
      ...from(viem.address('account-abstraction/accounts/implementations/toSimple7702SmartAccount.ts'), [
        ['delegate', 'Simple7702Account (later release)', '0xa46cc63eBF4Bd77888AA327837d20b23A63a56B5'],
      ]),
    ],
  },
  {
    kind: 'Biconomy SmartAccount 2',
    entryPoints: ['0.6'],
    tried: ['SmartAccount'],
    codes: [
      {
        role: 'implementation',
        contract: 'SmartAccount',
        mark: {
          codeHash: '0xe441975250b21a768d72d05d024fae92faaaf028281a97fc7790516b2bbd41ae',
          immutables: [2415, 2914, 3075, 3873, 3956, 4510, 5341, 6459, 6550],
        },
        source: biconomyCode('SmartAccount_v200'),
      },
      {
        role: 'factory',
        contract: 'SmartAccountFactory',
        mark: {
          codeHash: '0x4498a045ce1114c460ade91d2519f2e58e3a7f5f910cbc0c7c6a0d1ba77ef9a5',
          immutables: [493, 1447, 1862, 2031, 926, 2940],
        },
        source: biconomyCode('SmartAccountFactory_v200'),
      },
      ...from(pimlico.code(`${pimlicoAccounts}/biconomy.ts`), [
        [
          'helper',
          'ECDSAOwnershipRegistryModule, at 0x0000001c5b32F37F5beA87BDD5374eB2aC54eA8e',
          '0x7151d0ec59846397acb0a1460c4488c371c192fee09ecd1497c7a00e3332bf4a',
        ],
      ]),
      ...from(biconomyCode('ECDSAOwnershipRegistryModule_v100'), [
        [
          'helper',
          'ECDSAOwnershipRegistryModule, as on npm',
          '0x63d263c754ecdd7e6748cc4b17dd23a90f9299f8b0e3d18b5bc677317aa57ee5',
        ],
      ]),
      ...from(biconomyCode('SmartAccountFactory_v200'), [
        ['proxy', 'Proxy', '0xeb943ca16c0a3d8c19be2c02105552f49d4ff1d02fb80b199b613f085c8c7847', 'own-address'],
      ]),
    ],
  },
  {
    kind: 'Safe 1.4.1',
    entryPoints: ['0.6', '0.7'],
    tried: ['Safe', 'SafeL2'],
    codes: [
      safeCode(safe141, 'implementation', 'Safe', '0x41675C099F32341bf84BFc5382aF534df5C7461a'),
      safeCode(safe141, 'implementation', 'SafeL2', '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762'),
      safeCode(safe141, 'factory', 'proxies/SafeProxyFactory', '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67'),
      safeCode(safe141, 'helper', 'libraries/MultiSend', '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526'),
      ...from(safe141.code('build/artifacts/contracts/proxies/SafeProxy.sol/SafeProxy.json'), [
        ['proxy', 'SafeProxy', '0xd7d408ebcd99b2b70be43e20253d6d92a8ea8fab29bd3be7f55b10032331fb4c', 'first'],
      ]),
      ...from(safeModules.address('dist/assets/safe-4337-module/v0.2.0/safe-4337-module.json'), [
        ['helper', 'Safe4337Module 0.2.0', '0xa581c4A4DB7175302464fF3C06380BC3270b4037'],
      ]),
      ...from(safeModules.address('dist/assets/safe-4337-module/v0.2.0/add-modules-lib.json'), [
        ['helper', 'AddModulesLib 0.2.0', '0x8EcD4ec46D4D2a6B64fE960B3D64e8B94B2234eb'],
      ]),
      ...from(safe4337.code('build/artifacts/contracts/Safe4337Module.sol/Safe4337Module.json'), [
        ['helper', 'Safe4337Module 0.3.0', '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226'],
      ]),
      ...from(safe4337.code('build/artifacts/contracts/SafeModuleSetup.sol/SafeModuleSetup.json'), [
        ['helper', 'SafeModuleSetup 0.3.0', '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47'],
      ]),
    ],
  },
  {
    kind: 'Safe 1.5.0',
    entryPoints: ['0.7'],
    tried: ['Safe'],
    codes: [
      safeCode(safe150, 'implementation', 'Safe', '0xFf51A5898e281Db6DfC7855790607438dF2ca44b'),
      safeCode(safe150, 'implementation', 'SafeL2', '0xEdd160fEBBD92E350D4D398fb636302fccd67C7e'),
      safeCode(safe150, 'factory', 'proxies/SafeProxyFactory', '0x14F2982D601c9458F93bd70B218933A6f8165e7b'),
      safeCode(safe150, 'helper', 'libraries/MultiSend', '0x218543288004CD07832472D464648173c77D7eB7'),
      ...from(safe150.code('build/artifacts/contracts/proxies/SafeProxy.sol/SafeProxy.json'), [
        ['proxy', 'SafeProxy', '0x4e381985ca68b3e5d27b4425fa581c19cf33146d3f887a3cfca96f55528ea46f', 'first'],
      ]),
    ],
  },
  {
    kind: 'Safe with multi-chain signatures',
    entryPoints: ['0.9'],
    tried: [],
    codes: from(abstractionkit, [
      ['helper', 'Safe4337MultiChainSignatureModule', '0x22939E839e3c0F479B713eAF95e0df128554AEAd'],
    ]),
  },
  {
    kind: 'Safe7579 1',
    entryPoints: ['0.7'],
    tried: ['Safe7579Launchpad'],
    codes: from(pimlico.code(`${pimlicoAccounts}/safe.ts`), [
      ['implementation', 'Safe7579Launchpad', '0x7579011aB74c46090561ea277Ba79D510c6C00ff'],
      ['helper', 'Safe7579', '0x7579EE8307284F293B1927136486880611F20002'],
    ]),
  },
  ...(
    [
      ['2.2', '0x0DA6a956B9488eD4dd761E59f52FDc6c8068E6B5'],
      ['2.3', '0xD3F582F6B4814E989Ee8E96bc3175320B5A540ab'],
      ['2.4', '0xd3082872F8B06073A021b4602e022d5A070d7cfC'],
    ] as const
  ).map(
    ([version, implementation]): CatalogueEntry => ({
      kind: `Kernel ${version}`,
      entryPoints: ['0.6'],
      tried: ['Kernel'],
      codes: [
        ...from(kernelCode, [
          ['implementation', 'Kernel', implementation],
          ['factory', 'KernelFactory', '0x5de4839a76cf55d0c90e2061ef4386d962E15ae3'],
          ['helper', 'ECDSAValidator', '0xd9AB5096a832b9ce79914329DAEE236f8Eea0390'],
        ]),
        ...from(kernel2, [
          // Also accepts a call of this factory, which calls it only while creating the proxy.
          [
            'proxy',
            'AdminLessERC1967Factory’s proxy',
            '0x7254edb0ba49650a2ecb4fbf9223710f6223925b0aa26ad310e486ccf5c4473a',
          ],
        ]),
      ],
    }),
  ),
  ...(
    [
      [
        '3.0',
        '0x94F097E1ebEB4ecA3AAE54cabb08905B239A7D27',
        '0x6723b44Abeec4E71eBE3232BD5B455805baDD22f',
        '0x8104e3Ad430EA6d354d013A6789fDFc71E671c43',
      ],
      [
        '3.1',
        '0xBAC849bB641841b44E965fB01A4Bf5F074f84b4D',
        '0xaac5D4240AF87249B3f71BC8E4A2cae074A3E419',
        '0x845ADb2C711129d4f3966735eD98a9F09fC4cE57',
      ],
      [
        '3.2',
        '0xD830D15D3dc0C269F3dBAa0F3e8626d33CFdaBe1',
        '0x7a1dBAB750f12a90EB1B60D2Ae3aD17D4D81EfFe',
        '0x845ADb2C711129d4f3966735eD98a9F09fC4cE57',
      ],
      [
        '3.3',
        '0xd6CEDDe84be40893d153Be9d467CD6aD37875b28',
        '0x2577507b78c2008Ff367261CB6285d44ba5eF2E9',
        '0x845ADb2C711129d4f3966735eD98a9F09fC4cE57',
      ],
    ] as const
  ).map(
    ([version, implementation, factory, ecdsaValidator]): CatalogueEntry => ({
      kind: `Kernel ${version}`,
      entryPoints: ['0.7'],
      tried: ['Kernel'],
      codes: from(kernelCode, [
        ['implementation', 'Kernel', implementation],
        ['factory', 'KernelFactory', factory],
        ['factory', 'FactoryStaker', '0xd703aaE79538628d27099B8c4f621bE4CCd142d5'],
        ['helper', 'ECDSAValidator', ecdsaValidator],
        ['helper', 'WebAuthnValidator', '0x7ab16Ff354AcB328452F1D445b3Ddee9a91e9e69'],
      ]),
    }),
  ),
  {
    kind: 'Nexus 1',
    entryPoints: ['0.7'],
    tried: ['Nexus 1.0.0', 'Nexus 1.0.2 (MEE 1.0.0)', 'Nexus 1.2.0 (MEE 2.0.0)', 'Nexus 1.2.0 (Rhinestone)'],
    codes: [
      ...nexusCodes('1.0.2 (MEE 1.0.0)', 'abfed8fecaa980b01e38bb8b6609dc7999de2307', {
        Nexus: '0x000000aC74357BFEa72BBD0781833631F732cf19',
        NexusAccountFactory: '0x000000c3A93d2c5E02Cb053AC675665b1c4217F9',
        NexusBootstrap: '0x879fa30248eeb693dcCE3eA94a743622170a3658',
      }),
      ...nexusCodes('1.2.0 (MEE 2.0.0)', 'b2b19c4a965fffc024f41dc21ceaf50cd724cdb9', {
        Nexus: '0x000000004F43C49e93C970E84001853a70923B03',
        NexusAccountFactory: '0x000000001D1D5004a02bAfAb9de2D6CE5b7B13de',
        NexusBootstrap: '0x00000000D3254452a909E4eeD47455Af7E27C289',
      }),
      ...from(abstractjs, [
        ['implementation', 'Nexus 1.0.2 (MEE 1.1.0)', '0x000000001964d23C59962Fc7A912872EE8fB3b6A'],
        ['implementation', 'Nexus 1.2.0 (MEE 2.1.0)', '0x00000000383e8cBe298514674Ea60Ee1d1de50ac'],
        ['implementation', 'Nexus 1.3.1 (MEE 2.2.1)', '0x0000000020fe2F30453074aD916eDeB653eC7E9D'],
      ]),
      ...from(rhinestone.address('dist/src/accounts/nexus.js'), [
        ['implementation', 'Nexus 1.0.0', '0x000000039dfcAd030719B07296710F045F0558f7'],
        ['implementation', 'Nexus 1.2.1 (Rhinestone)', '0x000000000D41C0Bf0063DbA53343389CdB2C9C78'],
      ]),
      ...from(nexusOfRhinestone, [
        ['implementation', 'Nexus 1.2.0 (Rhinestone)', '0x000000000032dDC454C3BDcba80484Ad5A798705'],
      ]),
      ...from(abstractjs, [
        ['factory', 'NexusAccountFactory (MEE 1.1.0)', '0x0000000C8B6b3329cEa5d15C9d8C15F1f254ec3C'],
        ['factory', 'NexusAccountFactory (MEE 2.1.0)', '0x0000006648ED9B2B842552BE63Af870bC74af837'],
        ['factory', 'NexusAccountFactory (MEE 2.2.1)', '0x000000002c9A405a196f2dc766F2476B731693c3'],
      ]),
      ...from(permissionless.address('accounts/nexus/toNexusSmartAccount.ts'), [
        ['factory', 'K1ValidatorFactory (1.0.0)', '0x00000bb19a3579F4D779215dEf97AFbd0e30DB55'],
      ]),
      ...from(abstractjs, [
        ['helper', 'NexusBootstrap (MEE 1.1.0)', '0x000000c4781Be3349F81d341027fd7A4EdFa4Dd2'],
        ['helper', 'NexusBootstrap (MEE 2.1.0)', '0x0000003eDf18913c01cBc482C978bBD3D6E8ffA3'],
        ['helper', 'NexusBootstrap (MEE 2.2.1)', '0x000000007BfEdA33ac982cb38eAaEf5D7bCC954c'],
        ['helper', 'K1MeeValidator (MEE 1.0.0)', '0x00000000d12897DDAdC2044614A9677B191A2d95'],
        ['helper', 'K1MeeValidator (MEE 1.1.0)', '0x00000000E894100bEcFc7c934Ab7aC8FBA08A44c'],
      ]),
      ...from(rhinestone.code('dist/src/accounts/nexus.js'), [
        ['proxy', 'NexusProxy 1.2', '0x37f47513090b87acd09e20f11f5536ac41e0a4403b6d782f4073e3cebfb263ab'],
      ]),
    ],
  },
  {
    kind: 'LightAccount 1.1',
    entryPoints: ['0.6'],
    tried: ['LightAccount'],
    codes: [
      ...from(alchemy.address('src/light-account/utils.ts'), [
        ['implementation', 'LightAccount', '0xae8c656ad28F2B59a196AB61815C16A0AE1c3cba'],
        ['factory', 'LightAccountFactory', '0x00004EC70002a32400f8ae005A26081065620D20'],
      ]),
      ...from(lightAccountRun, [
        ['proxy', 'ERC1967Proxy', '0xb26a7586edc0cc4bfd2e1ed67ec8f0eeb5673658683376175868e1e0d635a21d'],
      ]),
    ],
  },
  {
    kind: 'LightAccount 2.0',
    entryPoints: ['0.7'],
    tried: ['LightAccount'],
    codes: from(lightAccount2Code, [
      ['implementation', 'LightAccount', '0x8E8e658E22B12ada97B402fF0b044D6A325013C7'],
      ['factory', 'LightAccountFactory', '0x0000000000400CdFef5E2714E63d8040b700BC24'],
    ]),
  },
  {
    kind: 'MultiOwnerLightAccount 2.0',
    entryPoints: ['0.7'],
    tried: [],
    codes: from(alchemy.address('src/light-account/utils.ts'), [
      ['implementation', 'MultiOwnerLightAccount', '0xd2c27F9eE8E4355f71915ffD5568cB3433b6823D'],
      ['factory', 'MultiOwnerLightAccountFactory', '0x000000000019d2Ee9F2729A65AfE20bb0020AefC'],
    ]),
  },
  {
    kind: 'Modular Account 1',
    entryPoints: ['0.6'],
    tried: ['UpgradeableModularAccount'],
    codes: [
      ...from(modularAccountRun, [
        ['implementation', 'UpgradeableModularAccount', '0x0046000000000151008789797b54fdb500E2a61e'],
      ]),
      ...from(alchemy.address('src/msca/utils.ts'), [
        ['factory', 'MultiOwnerModularAccountFactory', '0x000000e92D78D90000007F0082006FDA09BD5f11'],
      ]),
      ...from(modularAccountRun, [
        ['proxy', 'ERC1967Proxy', '0x49aea3a95a51b32d1e6fd229840c38521e3b4680b0a6c013494091be0e530b6c'],
      ]),
    ],
  },
  {
    kind: 'Modular Account 2',
    entryPoints: ['0.7'],
    tried: ['SemiModularAccountBytecode', 'SemiModularAccount7702'],
    codes: [
      modular2Code('implementation', 'account/ModularAccount', '0x00000000000002377B26b1EdA7b0BC371C60DD4f'),
      modular2Code(
        'implementation',
        'account/SemiModularAccountBytecode',
        '0x000000000000c5A9089039570Dd36455b5C07383',
      ),
      ...from(accountKit, [
        ['implementation', 'SemiModularAccountStorageOnly', '0x0000000000006E2f9d80CaEc0Da6500f005EB25A'],
      ]),
      modular2Code('delegate', 'account/SemiModularAccount7702', '0x69007702764179f14F51cdce752f4f775d74E139'),
      modular2Code('factory', 'factory/AccountFactory', '0x00000000000017c61b5bEe81050EC8eFc9c6fecd'),
    ],
  },
  {
    kind: 'Coinbase Smart Wallet 1',
    entryPoints: ['0.6'],
    tried: ['CoinbaseSmartWallet 1.0'],
    codes: [
      ...from(coinbase.code('broadcast/DeployFactory.s.sol/1/run-1714757847.json'), [
        ['implementation', 'CoinbaseSmartWallet 1.0', '0x000100abaad02f1cfC8Bbe32bD5a564817339E72'],
        ['factory', 'CoinbaseSmartWalletFactory 1.0', '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a'],
      ]),
      ...from(coinbase.address('script/DeployFactory.s.sol'), [
        ['implementation', 'CoinbaseSmartWallet 1.1', '0x00000110dCdEdC9581cb5eCB8467282f2926534d'],
        ['factory', 'CoinbaseSmartWalletFactory 1.1', '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842'],
      ]),
    ],
  },
  {
    kind: 'MetaMask 1.3',
    entryPoints: ['0.7'],
    tried: ['MultiSigDeleGator', 'EIP7702StatelessDeleGator', 'HybridDeleGator'],
    codes: [
      ...from(metamaskRun, [
        ['implementation', 'MultiSigDeleGator', '0x56a9EdB16a0105eb5a4C54f4C062e2868844f3A7'],
        ['implementation', 'HybridDeleGator', '0x48dBe696A4D990079e039489bA2053B36E8FFEC4'],
      ]),
      ...from(metamask7702Run, [
        ['delegate', 'EIP7702StatelessDeleGator', '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B'],
      ]),
      {
        role: 'implementation',
        contract: 'MultiSigDeleGator',
        mark: {
          codeHash: '0xb4b472e41378723163bbc2de8bcfbe751ec8db0c6912decece62d04814daedf8',
          immutables: [
            1752, 2122, 2509, 3117, 3255, 3381, 3480, 3611, 3737, 3836, 3918, 4057, 4446, 4686, 4865, 4979, 5411, 5538,
            5637, 5789, 5857, 6485, 6731, 7265, 7780, 8410, 8520, 8561, 8689, 8731, 8773, 8854, 8894, 9841, 10602,
            10647, 11533,
          ],
        },
        source: metamask,
      },
      {
        role: 'delegate',
        contract: 'EIP7702StatelessDeleGator',
        mark: {
          codeHash: '0x201a45b6a8dd555051309d6ff21b2fd410e4462d4b348cd9fb2748743d3d5046',
          immutables: [
            1137, 1402, 1561, 1850, 1942, 2039, 2111, 2242, 2368, 2467, 2598, 2724, 2823, 2886, 2970, 3058, 3188, 3302,
            3495, 3600, 3727, 3826, 4117, 4185, 4813, 5582, 5665, 5759, 5801, 5843, 5924, 5964, 6451, 6496,
          ],
        },
        source: metamask,
      },
      ...from(metamaskFactoryRun, [['factory', 'SimpleFactory', '0x69Aa2f9fe1572F1B640E1bbc512f5c3a734fc77c']]),
      ...from(metamask, [
        ['factory', 'SimpleFactory', '0xe5f22f99d0e7fe4e3d8f361afba4d6161d7b009ef2a5aab4325d48fba7e746cc'],
        ['proxy', 'ERC1967Proxy', '0x8678a7d794f76a790255c0db52d6276dc7259cc7a211426bca106e5ebb4b1ddf'],
      ]),
    ],
  },
  {
    kind: 'Circle MSCA 1',
    entryPoints: ['0.7'],
    tried: ['UpgradableMSCA'],
    codes: [
      circleCode('implementation', 'UpgradableMSCA', '0xA70F1296869DA9D7CB69578123F21888E6dB2B62'),
      circleCode('factory', 'UpgradableMSCAFactory', '0x0000000DF7E6c9Dc387cAFc5eCBfa6c3a6179AdD'),
      circleCode('helper', 'WeightedWebauthnMultisigPlugin', '0x0000000C984AFf541D6cE86Bb697e68ec57873C8'),
      ...from(circle.code('script/bytecode-deploy/build-output/ERC1967Proxy.json'), [
        ['proxy', 'ERC1967Proxy', '0xdc545aecaebc660c48db5d60ecad89617c6f9146f5b1ccb8e4085e444b09a19f'],
      ]),
    ],
  },
  {
    kind: 'Calibur 1',
    entryPoints: ['0.7', '0.8'],
    tried: ['CaliburEntry'],
    codes: from(calibur, [['delegate', 'CaliburEntry', '0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00']]),
  },
  {
    kind: 'Ambire',
    entryPoints: ['0.7'],
    tried: ['AmbireAccount7702'],
    codes: [
      ambireCode(
        '0x5A7FC11397E9a8AD41BF10bf13F22B0a63f96f6d',
        '0x386e55cb86f9a31fdb7926ceab54847aa4542b7a0517216144a956982a21ade3',
        '8dd9421c29f7c18b567bdeab6761a3a802ad39ee',
      ),
      ambireCode(
        '0x8D6220c9961E8DD1844108C854F514E120226E20',
        '0xa4d966b4d650be15f9772a5017e759c84d4738bf9263b1d002cde5340ce36271',
        '4cce586884a8224a8ea2a696150207ad37680dc9',
      ),
    ].flat(),
  },
  ...(
    [
      ['0.6', '0xf22175c80c6e074C171811C59C6c0087e2a6a346', '0x85e23b94e7F5E9cC1fF78BCe78cfb15B81f0DF00'],
      ['0.7', '0x94eC38a5d2EDA5A543Ab4c08D998338D4082beb2', '0x4bE0ddfebcA9A5A4a617dee4DeCe99E7c862dceb'],
    ] as const
  ).map(
    ([version, implementation, factory]): CatalogueEntry => ({
      kind: `thirdweb ${version}`,
      entryPoints: [version],
      tried: ['Account'],
      codes: from(thirdwebCode, [
        ['implementation', 'Account', implementation],
        ['factory', 'AccountFactory', factory],
      ]),
    }),
  ),
  {
    kind: 'Etherspot 1',
    entryPoints: ['0.7'],
    tried: ['ModularEtherspotWallet'],
    codes: from(pimlico.code(`${pimlicoAccounts}/etherspot.ts`), [
      ['implementation', 'ModularEtherspotWallet', '0x339eAB59e54fE25125AceC3225254a0cBD305A7b'],
      ['factory', 'ModularEtherspotWalletFactory', '0x2A40091f044e48DEB5C0FCbc442E443F3341B451'],
      ['helper', 'Bootstrap', '0x0D5154d7751b6e2fDaa06F0cC9B400549394C8AA'],
      ['helper', 'MultipleOwnerECDSAValidator', '0x0740Ed7c11b9da33d9C80Bd76b826e4E90CC1906'],
    ]),
  },
  {
    kind: 'Startale 1.0.0',
    entryPoints: ['0.7'],
    tried: ['StartaleSmartAccount'],
    // Their addresses come from salts alone (CREATE3), and their deployer takes code from anyone: only the code counts.
    notKnown: [
      'StartaleSmartAccount 1.0.1, at 0x000006B2874cf8a9bbe24fA1C3A32225AE826951: neither its code nor its source is published',
    ],
    codes: [
      {
        role: 'implementation',
        contract: 'StartaleSmartAccount',
        // The chain's id and the domain separator of EIP-712. The EntryPoint and the default validator are part of the code.
        mark: {
          codeHash: '0x8ff3de7b47a7913658b186a3cd64b54483ba43d264b536b47dca2150446e5f4b',
          immutables: [22818, 22750],
        },
        source: startale.code('src/StartaleSmartAccount.sol'),
      },
      ...from(startale.code('src/factory/StartaleAccountFactory.sol'), [
        ['factory', 'StartaleAccountFactory', '0x380e804ea7bd2dddac7e063329cab4ddaafd7ccc73441e369dbc8218f85b4797'],
      ]),
      ...from(startale.code('src/utils/Bootstrap.sol'), [
        ['helper', 'Bootstrap', '0xe667e81154974b0645a5eeaf9d632837cde5c3b7a5aa4a0b3c6418a898999c4c'],
      ]),
      ...from(startale.code('src/modules/validators/ECDSAValidator.sol'), [
        ['helper', 'ECDSAValidator', '0xd895ac0d4a1d5465663916375a1989b89f572c55569e3a3cb8faff50d9133f50'],
      ]),
      ...from(rhinestone.code('dist/src/accounts/startale.js'), [
        ['proxy', 'AccountProxy', '0x7a1345e0f7981b00586cb359c5610a49ea6f76a26c1bc8ee0b010d64733db9a8'],
      ]),
    ],
  },
  {
    kind: 'Proxies of several kinds',
    entryPoints: ['0.6', '0.7', '0.8', '0.9'],
    tried: [],
    codes: [
      ...from(openZeppelin.code('build/contracts/ERC1967Proxy.json'), [
        [
          'proxy',
          'ERC1967Proxy of OpenZeppelin 4.9',
          '0x29c3f7ad385c2b0425f15c31480e625cc2610bc80d9cd4af656d0b29c3f51d88',
        ],
      ]),
      ...from(openZeppelin.code('build/contracts/BeaconProxy.json'), [
        [
          'proxy',
          'BeaconProxy of OpenZeppelin 4.9',
          '0x1cc72fa0793e1b1cfb66e99f2cb58f85f8eafa3bdda5886d5007a72a4bcd2adc',
          'beacon',
        ],
      ]),
      ...from(openZeppelin.code('build/contracts/UpgradeableBeacon.json'), [
        [
          'beacon',
          'UpgradeableBeacon of OpenZeppelin 4.9',
          '0xd5712efcee4f3f46d7a41e210cebc68cb7e6059c01e29a723e09a7dba91ef27c',
        ],
      ]),
      ...from(solady.code('src/utils/LibClone.sol'), [
        // Kernel, LightAccount 2, Coinbase Smart Wallet, Nexus 1.0; with appended arguments Modular Account 2.
        [
          'proxy',
          'the minimal ERC-1967 proxy of Solady',
          '0xaaa52c8cc8a0e3fd27ce756cc6b4e70c51423e9b597b11f32d3e49f8b1fc890d',
        ],
      ]),
    ],
  },
];

type Coded = 'implementation' | 'delegate' | 'factory' | 'helper';
type Hex = `0x${string}`;

/** Codes with one source, by their address or the hash of their code. */
function from(
  source: CodeSource,
  rows: readonly (readonly [role: CodeRole, contract: string, addressOrHash: Hex, slot?: KnownCode['slot']])[],
): readonly KnownCode[] {
  return rows.map(([role, contract, hex, slot]) => ({
    role,
    contract,
    mark: hex.length === 42 ? { address: hex } : { codeHash: hex },
    ...(slot && { slot }),
    source,
  }));
}

type SimpleAccountMarks = {
  /** The account as its factory makes it. */
  readonly made: CodeMark;
  readonly account: CodeMark;
  readonly factory: CodeMark;
  /** The hash of the proxy's code. */
  readonly proxy: Hex;
};

function simpleAccount(version: EntryPointVersion, aa: typeof aa06, marks: SimpleAccountMarks): CatalogueEntry {
  const source = aa.code('artifacts/SimpleAccountFactory.json');
  return {
    kind: `SimpleAccount ${version}`,
    entryPoints: [version],
    tried: ['SimpleAccount (made by its factory)'],
    codes: [
      { role: 'implementation', contract: 'SimpleAccount (made by its factory)', mark: marks.made, source },
      {
        role: 'implementation',
        contract: 'SimpleAccount (deployed by hand)',
        mark: marks.account,
        source: aa.code('artifacts/SimpleAccount.json'),
      },
      { role: 'factory', contract: 'SimpleAccountFactory', mark: marks.factory, source },
      { role: 'proxy', contract: 'ERC1967Proxy', mark: { codeHash: marks.proxy }, source },
    ],
  };
}

function biconomyCode(name: string): CodeSource {
  return biconomyCommon.code(`dist/src/typechain/factories/biconomy_v2.0.0/${name}__factory.js`);
}

/** The salts and arguments are in `scripts/foundry/DeployNexus.s.sol` of the same commit. */
function nexusCodes(
  version: string,
  commit: string,
  addresses: Readonly<Record<'Nexus' | 'NexusAccountFactory' | 'NexusBootstrap', Hex>>,
): readonly KnownCode[] {
  const artifacts = github('bcnmy/nexus', commit);
  const artifact = (name: string) => artifacts.code(`scripts/bash-deploy/artifacts/${name}/${name}.json`);
  const mee = version.slice(version.indexOf('('));
  return [
    ...from(artifact('Nexus'), [['implementation', `Nexus ${version}`, addresses.Nexus]]),
    ...from(artifact('NexusAccountFactory'), [
      ['factory', `NexusAccountFactory ${mee}`, addresses.NexusAccountFactory],
    ]),
    ...from(artifact('NexusBootstrap'), [['helper', `NexusBootstrap ${mee}`, addresses.NexusBootstrap]]),
  ];
}

function safeCode(safe: typeof safe141, role: Coded, path: string, address: Hex): KnownCode {
  const contract = path.slice(path.lastIndexOf('/') + 1);
  const source = safe.code(`build/artifacts/contracts/${path}.sol/${contract}.json`);
  return { role, contract, mark: { address }, source };
}

/** The salts are in `deployments/v2/Deployments.md` of the same commit. */
function modular2Code(role: Coded, path: string, address: Hex): KnownCode {
  const contract = path.slice(path.lastIndexOf('/') + 1);
  return { role, contract, mark: { address }, source: modularAccount2.code(`src/${path}.sol`) };
}

/** The factory makes the account's code itself. */
function circleCode(role: Coded, contract: string, address: Hex): KnownCode {
  const file = role === 'implementation' ? 'UpgradableMSCAFactory' : contract;
  const source = circle.code(`script/bytecode-deploy/build-output/${file}.json`);
  return { role, contract, mark: { address }, source };
}

/** At each commit, the published code yields the address that the wallet names. */
function ambireCode(address: Hex, codeHash: Hex, commit: string): readonly KnownCode[] {
  const source = github('AmbireTech/ambire-common', commit, 'solc 0.8.19').code(
    'contracts/compiled/AmbireAccount7702.json',
  );
  const contract = 'AmbireAccount7702';
  return [
    { role: 'delegate', contract, mark: { address }, source },
    { role: 'delegate', contract, mark: { codeHash }, source },
  ];
}
