import type { Command } from 'commander';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { commandOf, runCommand } from '../../clients/cli/terminal/run-command.ts';
import { withChain, withPayer } from './with-chain-flags.ts';

/** Adds `paymaster-contract`: the operator's commands for contracts on their chains. */
export function registerPaymasterContractCommands(program: Command): void {
  const group = program
    .command('paymaster-contract')
    .description('deploy, inspect and change the paymaster contracts of a configuration, on their chains');
  const loadChange = () => import('./change-contract.ts');

  withPayer(
    withChain(group.command('deploy').description('deploy a contract that accepts the signing key of the chain')),
  )
    .option('--entry-point <version>', 'EntryPoint of your accounts: 0.6, 0.7, 0.8 or 0.9')
    .option('--family <family>', 'family of the paymaster contract')
    .option('--tank-funder', 'deploy the contract with which any wallet fills gas tanks instead')
    .option('--owner <address>', 'who may stake and withdraw (default: the payer)')
    .option('--signer <address>', "the accepted signer (default: the chain's signing key)")
    .option('--token-recipient <address>', 'receiver of the tokens that users pay with (default: the owner)')
    .option(
      '--paymaster-version <version>',
      'version of the paymaster contract, in the configuration (default: the next whole one)',
    )
    .option('--write', 'also add the contract to the configuration file')
    .action((flags) =>
      runCommand(async () => {
        if (flags.tankFunder === true) return (await import('./deploy-tank-funder.ts')).deployTankFunder(flags);
        const family = (await import('./family-flag.ts')).familyFlag(flags);
        if (family === undefined) throw mistake('Name the contract: --entry-point, --family or --tank-funder.');
        return (await import('./deploy-contract.ts')).deployContract({ ...flags, family });
      }),
    );
  withContract(withChain(group.command('status').description('deposit, stake and signers; changes nothing'))).action(
    commandOf(() => import('./contract-status.ts'), 'showContracts'),
  );
  const change = (name: string, description: string) =>
    withPayer(withContract(withChain(group.command(name).description(description))));
  for (const kind of ['add', 'remove'] as const) {
    const what = kind === 'add' ? 'accept the signatures of another key' : 'stop accepting the signatures of a key';
    change(`${kind}-signer <address>`, what).action((signer, flags) =>
      runCommand(async () => (await loadChange()).changeSigner(kind, signer, flags)),
    );
  }
  change('stake [amount]', 'stake at the EntryPoint, amounts like "0.1 ether"; or take the stake back')
    .option('--unstake-delay <seconds>', 'delay in seconds between --unlock and --withdraw (default 86400)')
    .option('--unlock', 'start the delay after which the stake can be withdrawn')
    .option('--withdraw', 'withdraw the whole stake')
    .option('--to <address>', 'receiver (default: the payer of the gas); with --withdraw')
    .action(commandOf(loadChange, 'changeStake'));
  change('deposit <amount>', 'fill the gas tank of the paying wallet').action(commandOf(loadChange, 'deposit'));
  change('withdraw <amount>', 'withdraw wei from the deposit')
    .option('--to <address>', 'receiver (default: the payer of the gas)')
    .action(commandOf(loadChange, 'withdraw'));
}

function withContract(command: Command): Command {
  return command.option('--contract <contract>', "address or version of the contract (default the chain's only one)");
}
