import pLimit from 'p-limit';
import { bufProgram, installPackages } from './install-packages.ts';
import { runStep } from './run-step.ts';

/** A generator of committed files. */
export type Generator = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Files and folders it writes. */
  readonly writes: readonly string[];
};

const tsx = ['--conditions=@tollfree/source', '--import', 'tsx'] as const;

const independent: readonly Generator[] = [
  {
    name: 'protobuf messages',
    command: 'node',
    args: [...tsx, 'tools/proto/write-proto.ts'],
    writes: ['proto/tollfree', 'proto/field-numbers.json'],
  },
  {
    name: 'code that simulations run',
    command: 'node',
    args: [...tsx, 'tools/compile-solidity.ts'],
    writes: [
      'core/gas/simulation/call-gas-probe.generated.ts',
      'core/gas/simulation/account-probe.generated.ts',
      'core/gas/simulation/failing-call-probe.generated.ts',
      'core/gas/simulation/callback-probe.generated.ts',
    ],
  },
  {
    name: 'code of the EntryPoints’ simulations',
    command: 'node',
    args: [...tsx, 'tools/copy-simulation-code.ts'],
    writes: ['core/evm/entry-point/simulations.generated.ts'],
  },
  {
    name: 'dev contracts',
    command: 'node',
    args: [...tsx, 'tools/compile-dev-contracts.ts'],
    writes: ['server/dev/devnet/contracts.generated.ts'],
  },
  {
    name: 'paymaster contract',
    command: 'node',
    args: [...tsx, 'tools/compile-paymaster-contract.ts'],
    writes: [
      'server/paymaster-contract/tollfree-paymaster.generated.ts',
      'core/evm/tank-funder/tank-funder.generated.ts',
    ],
  },
  {
    name: 'OpenAPI documents',
    command: 'node',
    args: [...tsx, 'tools/write-openapi.ts'],
    writes: ['contract/openapi.json', 'contract/reference.json'],
  },
  {
    name: 'JSON Schema of policy files',
    command: 'node',
    args: [...tsx, 'tools/write-policy-schema.ts'],
    writes: ['contract/schemas/policy.json'],
  },
  {
    name: 'table of policy fields',
    command: 'node',
    args: [...tsx, 'tools/write-policy-docs.ts'],
    writes: ['docs/reference/policies.md'],
  },
];

/** They read what those before write, or import it. */
const afterwards: readonly Generator[] = [
  {
    name: 'catalogue of refusals',
    command: 'node',
    args: [...tsx, 'tools/write-refusal-docs.ts'],
    writes: ['docs/refusals.md', 'docs/reference/management.md'],
  },
  { name: 'protobuf code', command: bufProgram, args: ['generate'], writes: ['proto/gen'] },
  {
    name: 'tables of contracts and accounts',
    command: 'node',
    args: [...tsx, 'tools/write-account-docs.ts'],
    writes: [
      'docs/reference/known-accounts.md',
      'docs/reference/known-accounts.json',
      'docs/reference/compatibility.md',
      'docs/migrate.md',
    ],
  },
  {
    name: 'table of flags',
    command: 'node',
    args: [...tsx, 'tools/write-cli-docs.ts'],
    writes: ['docs/reference/cli.md'],
  },
  {
    name: 'table of metrics',
    command: 'node',
    args: [...tsx, 'tools/write-metrics-docs.ts'],
    writes: ['docs/reference/metrics.md'],
  },
  {
    name: 'page about performance',
    command: 'node',
    args: [...tsx, 'tools/write-performance-page.ts'],
    writes: ['docs/performance.md', 'docs/pictures', 'docs/cluster.md', 'README.md'],
  },
];

export const generators: readonly Generator[] = [...independent, ...afterwards];

/** Most of them are a process that works on one core for some seconds. */
const maxAtOnce = 3;

/**
 * Writes all generated files again, with the packages of the tests, which compilers are part of. Returns the names of the generators
 * that failed. If one that others read from failed, those do not run.
 */
export async function runGenerators(): Promise<readonly string[]> {
  installPackages('test');
  const limit = pLimit(maxAtOnce);
  const run = async ({ name, command, args }: Generator) =>
    (await limit(() => runStep(name, command, args))) ? [] : [name];
  for (const stage of [independent, afterwards]) {
    const failed = (await Promise.all(stage.map(run))).flat();
    if (failed.length > 0) return failed;
  }
  return [];
}
