import type { OperatorChain, OperatorStatus } from '@tollfree/contract/operator';
import type { ContractSigner } from '../../core/domain/signer-config.ts';

type Problem = OperatorStatus['problems'][number];

/** By the prefix of a part's name. */
const remedies: readonly (readonly [prefix: string, remedy: string])[] = [
  ['store', 'Check the free space and the permissions of the database. The log has the cause under err.'],
  ['core', 'Start the core, and check its log.'],
  ['gateway', 'Nothing to do: it is stopping as requested.'],
  ['chain', 'Check the chain’s nodes below and the log. If a node fails, add another one to nodeUrls.'],
  [
    'signer',
    'Check the service that keeps the key, its credentials and the connection to it. The table of signers names it.',
  ],
  ['bundler', 'Check bundlerUrl (or bundler.url) of the chain. Meanwhile the service signs its own estimates.'],
  ['paymaster version', 'Fix the contract or its configuration as the detail says, and restart.'],
  [
    'ledger',
    'Add a node of another provider to nodeUrls, or run tollfree ledger check. Nothing is signed for the contract meanwhile.',
  ],
];

/** What is wrong with the service, with the parts that are not ready first, and the fix for each. */
export function findProblems({ parts, chains }: Pick<OperatorStatus, 'parts' | 'chains'>): readonly Problem[] {
  const faults = parts.filter(({ ready }) => !ready);
  return [
    ...faults.map(({ part, detail }) => ({
      what: `${part}: ${detail}`,
      remedy: remedies.find(([prefix]) => part.startsWith(prefix))?.[1] ?? 'Check the log.',
    })),
    ...chains.flatMap(problemsOfChain),
  ];
}

function problemsOfChain({ name, chainId, contracts, nodes, hotWallet }: OperatorChain): readonly Problem[] {
  const chain = `${name} (${chainId})`;
  return [
    ...nodes
      .filter(({ answered, failed }) => answered === 0 && failed > 0)
      .map(({ node }) => ({
        what: `Node ${node} of ${chain} has answered none of its questions`,
        remedy: 'Repair it, or remove it from nodeUrls. Every request sent to it waits in vain.',
      })),
    ...(hotWallet?.blocked === undefined
      ? []
      : [
          {
            what: `The hot wallet of ${chain} sends nothing: ${hotWallet.blocked}`,
            remedy: 'Run tollfree hot-wallet. The guide about the hot wallet says what to do for each reason.',
          },
        ]),
    ...contracts.flatMap(({ version, depositWei, heldWei, differenceWei, tanksLow = 0 }) => {
      const contract = `Version ${version} on ${chain}`;
      const problems: Problem[] = [];
      if (depositWei !== undefined && heldWei !== undefined && BigInt(depositWei) < BigInt(heldWei)) {
        problems.push({
          what: `${contract}: the deposit does not cover what is signed`,
          remedy: 'Deposit for the paymaster contract at the EntryPoint, and find out who has withdrawn from it.',
        });
      }
      if (differenceWei !== undefined && differenceWei !== '0') {
        problems.push({
          what: `${contract}: the ledger and the chain differ by ${differenceWei} wei`,
          remedy: 'Run tollfree ledger check. If the difference stays, tollfree ledger revert reads the blocks again.',
        });
      }
      if (tanksLow > 0) {
        problems.push({
          what: `${contract}: ${tanksLow} gas ${tanksLow === 1 ? 'tank lasts' : 'tanks last'} less than 3 days`,
          remedy: 'Their owners have to deposit from their funding wallets. The tanks are listed below.',
        });
      }
      return problems;
    }),
  ];
}

/** Keys that a contract does not accept. A key that does not sign is reported as a part that is not ready. */
export function findKeyProblems(signers: readonly ContractSigner[]): OperatorStatus['problems'] {
  return signers
    .filter(({ state, complaint }) => state === 'not-trusted' && complaint !== undefined)
    .map(({ chainId, contract, signer, complaint = '', remedy }) => ({
      what: `The key ${signer} does not sign for ${contract} of chain ${chainId}: ${complaint}`,
      remedy:
        remedy ?? 'Let the contract accept the key, or fix the configuration, as tollfree paymaster-contract shows.',
    }));
}
