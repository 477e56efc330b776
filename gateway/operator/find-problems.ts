import type { OperatorChain, OperatorStatus } from './operator-status.ts';

type Problem = OperatorStatus['problems'][number];

/** By what the name of a part begins with. */
const remedies: readonly (readonly [prefix: string, remedy: string])[] = [
  ['store', 'Look at the free space and the permissions of the database; the log has the cause under err.'],
  ['core', 'Start the core, and look at its log.'],
  ['gateway', 'Nothing: it was told to stop.'],
  [
    'chain',
    'Look at the nodes of the chain below and at the log; another node in nodeUrls helps where one is at fault.',
  ],
  [
    'signer',
    'Look at the service that keeps the key, its credentials and the way to it, as the table of signers says where it is.',
  ],
  ['bundler', 'Look at bundlerUrl. Meanwhile the service signs its own estimates.'],
  ['paymaster version', 'Mend the contract or its configuration as the detail says, and restart.'],
  [
    'books',
    'Add a node of somebody else to nodeUrls, or see tollfree ledger check; nothing is signed for it meanwhile.',
  ],
];

/** What is wrong with the service, the parts that are not ready first, and what mends each. */
export function findProblems({ parts, chains }: Pick<OperatorStatus, 'parts' | 'chains'>): readonly Problem[] {
  const faults = parts.filter(({ ready }) => !ready);
  return [
    ...faults.map(({ part, detail }) => ({
      what: `${part}: ${detail}`,
      remedy: remedies.find(([prefix]) => part.startsWith(prefix))?.[1] ?? 'Look at the log.',
    })),
    ...chains.flatMap(problemsOfChain),
  ];
}

function problemsOfChain({ name, chainId, contracts, nodes }: OperatorChain): readonly Problem[] {
  const chain = `${name} (${chainId})`;
  return [
    ...nodes
      .filter(({ answered, failed }) => answered === 0 && failed > 0)
      .map(({ node }) => ({
        what: `Node ${node} of ${chain} has answered none of its questions`,
        remedy: 'Repair it, or take it out of nodeUrls: every question that comes to it waits in vain.',
      })),
    ...contracts.flatMap(({ version, depositWei, heldWei, differenceWei, tanksLow = 0 }) => {
      const contract = `Version ${version} on ${chain}`;
      const problems: Problem[] = [];
      if (depositWei !== undefined && heldWei !== undefined && BigInt(depositWei) < BigInt(heldWei)) {
        problems.push({
          what: `${contract}: the deposit does not cover what is signed`,
          remedy: 'Deposit for the paymaster contract at the EntryPoint, and look who has withdrawn from it.',
        });
      }
      if (differenceWei !== undefined && differenceWei !== '0') {
        problems.push({
          what: `${contract}: the books and the chain differ by ${differenceWei} wei`,
          remedy: 'See tollfree ledger check. Where it stays, tollfree ledger rewind reads the blocks again.',
        });
      }
      if (tanksLow > 0) {
        problems.push({
          what: `${contract}: ${tanksLow} gas ${tanksLow === 1 ? 'tank lasts' : 'tanks last'} less than 3 days`,
          remedy: 'Their owners have to deposit from their funding wallets; the tanks are listed below.',
        });
      }
      return problems;
    }),
  ];
}
