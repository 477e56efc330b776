import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Address, type Hex, isHex, keccak256, parseAbi } from 'viem';
import { z } from 'zod';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { tollfreeFamilies } from '../../core/evm/paymaster-contracts/tollfree/tollfree-versions.ts';
import { tollfreePaymasterBytecode } from './tollfree-paymaster.generated.ts';

/** The parameters of a new paymaster contract. */
export type ContractTerms = {
  readonly entryPoint: Address;
  /** May stake, withdraw and, if there are several signers, name them. */
  readonly owner: Address;
  readonly signer: Address;
};

/** Code published by a third party in an npm package. */
export type PublishedCode = {
  /** The name it is installed under, and its npm specifier. */
  readonly packageName: string;
  readonly install: string;
  readonly file: string;
  /** keccak-256 of the published creation code without arguments, so that nothing else can be deployed. */
  readonly codeHash: Hex;
  /** Extracts the creation code from the file's text. */
  read(text: string): Hex | undefined;
};

/** The code of a family of paymaster contracts, published by third parties or included in this program. */
export type FamilyCode = (PublishedCode | { readonly creationCode: Hex }) & {
  readonly constructorAbi: ReturnType<typeof parseAbi>;
  /** The constructor's arguments by name, in order. */
  argumentsFor(terms: ContractTerms): readonly (readonly [name: string, value: Address | readonly Address[]])[];
  /** `deployer`: the creator becomes the owner, so a deployment proxy cannot be used. */
  readonly owner: 'argument' | 'deployer';
};

const artifactSchema = z.object({ bytecode: z.custom<Hex>((value) => isHex(value)) });

function singleton(digits: string, codeHash: Hex): FamilyCode {
  const literal = new RegExp(`getSingletonPaymaster${digits}InitCode = \\(owner\\) => concat\\(\\[\\s*"(0x[0-9a-f]+)"`);
  return {
    packageName: '@pimlico/mock-paymaster',
    install: '@pimlico/mock-paymaster@0.0.7',
    file: '_esm/constants.js',
    codeHash,
    // The package only exports functions that use a fixed key, and third-party code is not run here.
    read: (text) => literal.exec(text)?.[1] as Hex | undefined,
    constructorAbi: parseAbi(['constructor(address entryPoint, address owner, address manager, address[] signers)']),
    argumentsFor: ({ entryPoint, owner, signer }) => [
      ['entryPoint', entryPoint],
      ['owner', owner],
      ['manager', owner],
      ['signers', [signer]],
    ],
    owner: 'argument',
  };
}

function verifying(version: '0.6' | '0.7', codeHash: Hex): FamilyCode {
  return {
    packageName: `@account-abstraction/contracts-${version}`,
    install: `@account-abstraction/contracts-${version}@npm:@account-abstraction/contracts@${version}.0`,
    file: 'artifacts/VerifyingPaymaster.json',
    codeHash,
    read: (text) => artifactSchema.safeParse(JSON.parse(text)).data?.bytecode,
    constructorAbi: parseAbi(['constructor(address entryPoint, address verifyingSigner)']),
    argumentsFor: ({ entryPoint, signer }) => [
      ['entryPoint', entryPoint],
      ['verifyingSigner', signer],
    ],
    owner: 'deployer',
  };
}

/** Tollfree's own contract, included in this package. */
const tollfree: FamilyCode = {
  creationCode: tollfreePaymasterBytecode,
  constructorAbi: parseAbi(['constructor(address entryPoint, address owner, address[] signers)']),
  argumentsFor: ({ entryPoint, owner, signer }) => [
    ['entryPoint', entryPoint],
    ['owner', owner],
    ['signers', [signer]],
  ],
  owner: 'argument',
};

/** The families whose code is on npm or included here, by name. */
export const familyCodes: ReadonlyMap<string, FamilyCode> = new Map([
  ['pimlico-singleton-0.6', singleton('06', '0xaced3156b56ced198981d4824a9b2a7a9c63f488d4f6ef59e25f36d57b3500ba')],
  ['pimlico-singleton-0.7', singleton('07', '0x0329e8936cfb17a3cd4b7e8f7cc8e8a2125bf60b35d5adccb25dd388c1e78d55')],
  ['pimlico-singleton-0.8', singleton('08', '0x15c11917be18e7de602c399bb98b160f51f70ef261c6a8bc18510d4a5e509315')],
  ['verifying-paymaster-0.6', verifying('0.6', '0x70eabac17a7897596cb544a02fda65f1cc21f649d32e9427d48d5ddc5e47113f')],
  ['verifying-paymaster-0.7', verifying('0.7', '0x5bf1c3be3c0066fb17e3f807fe8549ee2fe252ebeeb9512060bd8f826b84fd68')],
  ...tollfreeFamilies.map(({ name }) => [name, tollfree] as const),
]);

/**
 * The creation code of a family without arguments: included in the program, or from a package next to the program or in the
 * `node_modules` of the working directory. The program does not include these packages: some of their contracts are under
 * the GPL.
 */
export function readFamilyCode(family: string, code: FamilyCode): Hex {
  if ('creationCode' in code) return code.creationCode;
  const text = findText(code);
  if (text === undefined) {
    throw mistake(
      `The code of ${family} is in an npm package that is not installed. Install it: npm install --no-save ${code.install}`,
    );
  }
  const creationCode = readSafely(code, text);
  if (creationCode !== undefined && keccak256(creationCode) === code.codeHash) return creationCode;
  throw mistake(
    `The installed package ${code.packageName} does not have the published code of ${family}. Install ${code.install}.`,
  );
}

function readSafely(code: PublishedCode, text: string): Hex | undefined {
  try {
    return code.read(text);
  } catch {
    return undefined;
  }
}

function findText({ packageName, file }: PublishedCode): string | undefined {
  const places = [import.meta.url, join(process.cwd(), 'any.js')].flatMap(
    (from) => createRequire(from).resolve.paths(packageName) ?? [],
  );
  for (const location of places) {
    try {
      return readFileSync(join(location, packageName, file), 'utf8');
    } catch {
      // It may be in the next one.
    }
  }
  return undefined;
}
