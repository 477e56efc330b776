import type { Command } from 'commander';
import { runCommand } from '../run-command.ts';
import { withChain, withPayer } from './with-chain-flags.ts';

/** Adds `paymaster-contract`: what an operator does with his contracts on their chains. */
export function registerPaymasterContractCommands(program: Command): void {
  const group = program
    .command('paymaster-contract')
    .description('deploy, look at and change the paymaster contracts of a configuration, on their chains');
  const loadChange = () => import('./change-contract.ts');

  withPayer(withChain(group.command('deploy').description('deploy a contract that takes the signing key of the chain')))
    .requiredOption('--family <family>', 'what is deployed, like pimlico-singleton-0.7')
    .option('--owner <address>', 'who may stake and withdraw (default who pays)')
    .option('--signer <address>', "whose signatures it takes (default the chain's signing key)")
    .option('--treasury <address>', 'who receives tokens that users pay with (default the owner)')
    .option('--paymaster-version <version>', 'version it is configured under (default the next whole one)')
    .option('--write', 'put the contract into the configuration file too')
    .action((flags) => runCommand(async () => (await import('./deploy-contract.ts')).deployContract(flags)));
  withContract(withChain(group.command('status').description('deposit, stake and signers; changes nothing'))).action(
    (flags) => runCommand(async () => (await import('./contract-status.ts')).showContracts(flags)),
  );
  const change = (name: string, description: string) =>
    withPayer(withContract(withChain(group.command(name).description(description))));
  for (const kind of ['add', 'remove'] as const) {
    const what = kind === 'add' ? 'let it take the signatures of another key' : 'no longer take those of a key';
    change(`${kind}-signer <address>`, what).action((signer, flags) =>
      runCommand(async () => (await loadChange()).changeSigner(kind, signer, flags)),
    );
  }
  change('stake <amount>', 'stake at the EntryPoint, amounts like "0.1 ether"')
    .option('--unstake-delay <seconds>', 'how long the stake is bound after unlock-stake (default 86400)')
    .action((amount, flags) => runCommand(async () => (await loadChange()).addStake(amount, flags)));
  change('unlock-stake', 'begin the delay after which the stake can be withdrawn').action((flags) =>
    runCommand(async () => (await loadChange()).unlockStake(flags)),
  );
  change('withdraw-stake', 'take the whole stake back')
    .option('--to <address>', 'who receives it (default who pays the gas)')
    .action((flags) => runCommand(async () => (await loadChange()).withdrawStake(flags)));
  change('deposit <amount>', 'fill the gas tank of the wallet that pays').action((amount, flags) =>
    runCommand(async () => (await loadChange()).deposit(amount, flags)),
  );
  change('withdraw <amount>', 'take wei out of the deposit')
    .option('--to <address>', 'who receives it (default who pays the gas)')
    .action((amount, flags) => runCommand(async () => (await loadChange()).withdraw(amount, flags)));
}

function withContract(command: Command): Command {
  return command.option('--contract <contract>', "address or version of the contract (default the chain's only one)");
}
