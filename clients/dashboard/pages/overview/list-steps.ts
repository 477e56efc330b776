import type { GasTankItem } from '@tollfree/contract/gas-tank';
import type { PolicyItem } from '@tollfree/contract/policy';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';

type Step = {
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  readonly to?:
    | '/paymasters/$paymasterId'
    | '/paymasters/$paymasterId/contracts'
    | '/paymasters/$paymasterId/gas-tank'
    | '/paymasters/$paymasterId/activity';
  readonly action?: string;
};

/** The steps to a first sponsored operation; the service's data shows which are done. */
export function listSteps(state: {
  readonly contracts: readonly SmartContractItem[];
  readonly policy: PolicyItem;
  readonly tank: GasTankItem;
  /** Whether it has ever signed anything. */
  readonly hasSigned: boolean;
}): readonly Step[] {
  const { contracts, policy, tank, hasSigned } = state;
  const mayCall = contracts.some(({ whitelistedMethods }) => whitelistedMethods.length > 0);
  return [
    { title: 'Create a paymaster', text: 'It has its own apiKey and RPC URL.', isDone: true },
    {
      title: 'Choose what to sponsor',
      text: 'Register a contract and choose its methods. All other calls are refused.',
      isDone: mayCall || policy.sponsorAllCalls,
      to: '/paymasters/$paymasterId/contracts',
      action: 'Register a contract',
    },
    {
      title: 'Set the funding wallet',
      text: 'The wallet signs a message to prove that it is yours. It fills the tank.',
      isDone: tank.fundingWallet !== undefined,
      to: '/paymasters/$paymasterId/gas-tank',
      action: 'Set the wallet',
    },
    {
      title: 'Fill the gas tank',
      text: 'The tank’s balance is the most that can be spent.',
      isDone: tank.funded !== '0',
      to: '/paymasters/$paymasterId/gas-tank',
      action: 'Deposit',
    },
    {
      title: 'Send a request',
      text: 'Put the RPC URL into your application, or use the code on the page Connect.',
      isDone: hasSigned,
      to: '/paymasters/$paymasterId',
      action: 'Get the code',
    },
    {
      title: 'See the operation land',
      text: 'Once a signed operation has landed, its cost is settled in the tank.',
      isDone: tank.settled !== '0',
      to: '/paymasters/$paymasterId/activity',
      action: 'See the activity',
    },
  ];
}
