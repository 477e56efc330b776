import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { GasTankItem } from '@tollfree/contract/gas-tank';
import { useState } from 'react';
import { type Address, encodeFunctionData, formatEther, type Hex, parseAbi, parseEther } from 'viem';
import { sessionQuery } from '../../api/session.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { DocLink } from '../../parts/doc-link.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { coinName } from '../../parts/text/chain-name.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { Coin } from '../../parts/usd.tsx';
import { Short, Value } from '../../parts/value.tsx';
import { WalletList } from '../../wallet/wallet-list.tsx';
import { type Wallet, walletProblem } from '../../wallet/wallets.ts';

/** Contracts with a balance per funding wallet, and their withdrawal functions. */
const functions = {
  atOnce: parseAbi(['function withdrawTo(address payable withdrawAddress, uint256 amount)']),
  request: parseAbi(['function submitWithdrawalRequest(address withdrawAddress, uint256 amount)']),
  execute: parseAbi(['function executeWithdrawalRequest(address paymasterId)']),
} as const;

/** How to withdraw from the tank, which depends on the paymaster contract. */
export function Withdrawal({ tank }: { readonly tank: GasTankItem }) {
  const { contract } = usePaymaster();
  const { fundingWallet, available, held, filling } = tank;
  if (fundingWallet === undefined) return <Notice>There is no funding wallet, so nothing can be withdrawn.</Notice>;
  return (
    <div className="form">
      <Facts
        facts={[
          ['Available', <Coin key="available" wei={available} />],
          ['Held', <Coin key="held" wei={held} />],
          ['Funding wallet', <Value key="wallet" text={fundingWallet} what="funding wallet" />],
        ]}
      />
      {filling?.to === tank.contract ? (
        <FromBalance
          tank={tank}
          wallet={fundingWallet}
          isInTwoSteps={contract?.family === 'biconomy-sponsorship-0.7'}
        />
      ) : (
        <ByOperator tank={tank} wallet={fundingWallet} />
      )}
      <p className="hint">
        <DocLink to="withdrawal" />
      </p>
    </div>
  );
}

/** Whether a text is an amount of coin that can be withdrawn. */
function isAmountText(text: string): boolean {
  return /^\d+(\.\d{1,18})?$/.test(text) && parseEther(text) > 0n;
}

const isHash = (text: string) => /^0x[0-9a-fA-F]{64}$/.test(text);

/** The operator's commands, since only the contract's owner can take from it: to run, or as a request to the operator. */
function ByOperator({ tank, wallet }: FromBalanceRequest) {
  const { data: session } = useQuery(sessionQuery);
  const { paymasterId, name } = usePaymaster();
  const { available, chainId, contract } = tank;
  const [amount, setAmount] = useState(() => (available.startsWith('-') ? '0' : formatEther(BigInt(available))));
  const [payout, setPayout] = useState('');
  const isOperator = session?.operator === true;
  const request = `# Please pay back ${amount} ${coinName(chainId)} of the gas tank of “${name}” (${paymasterId}).\n`;
  return (
    <>
      <Notice>
        This contract keeps one deposit for all its tanks, and only its owner, the operator, can take from it. First{' '}
        <Link to="/paymasters/$paymasterId/settings" params={{ paymasterId }}>
          pause the paymaster
        </Link>
        , so that nothing is spent meanwhile.{' '}
        {isOperator ? 'Then run the commands.' : 'Then send the operator this request.'}
      </Notice>
      <TextInput
        label={`Amount in ${coinName(chainId)}`}
        hint="What is held for signatures stays until they land or expire."
        value={amount}
        onChange={setAmount}
        check={(text) => (/^\d+(\.\d{1,18})?$/.test(text) ? undefined : 'Write an amount like 0.1.')}
      />
      {isOperator ? (
        <TextInput
          label="Transaction of the first command"
          placeholder="0x…"
          hint="Its hash, for the second command."
          value={payout}
          onChange={setPayout}
          check={(text) => (text === '' || isHash(text) ? undefined : 'Write the whole hash.')}
        />
      ) : null}
      {isAmountText(amount) ? (
        <CodeBlock
          what={isOperator ? 'Commands' : 'Request to the operator'}
          code={`${isOperator ? '' : request}tollfree paymaster-contract withdraw "${amount} ether" --chain ${chainId} --contract ${contract} --to ${wallet}
# Then take it from the tank, with the hash of that transaction:
tollfree tank debit "${amount} ether" --paymaster ${paymasterId} --reason "paid back to ${wallet}" --for ${isHash(payout) ? payout : '0x…'}`}
        />
      ) : (
        <Notice>There is nothing to withdraw.</Notice>
      )}
    </>
  );
}

type FromBalanceRequest = { readonly tank: GasTankItem; readonly wallet: string };
type FromBalanceProps = { readonly tank: GasTankItem; readonly wallet: string; readonly isInTwoSteps: boolean };

function FromBalance({ tank, wallet, isInTwoSteps }: FromBalanceProps) {
  const [amount, setAmount] = useState('');
  const isAmount = isAmountText(amount);
  const send = useMutation({
    mutationFn: async ({ chosen, data }: { readonly chosen: Wallet; readonly data: Hex }) => {
      const { sendCall } = await import('../../wallet/wallet-client.ts');
      const { chainId, contract } = tank;
      return sendCall(chosen, { chainId, to: contract as Address, data, value: 0n, from: wallet as Address });
    },
  });
  const callData = () => {
    const args = [wallet as Address, parseEther(amount)] as const;
    return isInTwoSteps
      ? encodeFunctionData({ abi: functions.request, args })
      : encodeFunctionData({ abi: functions.atOnce, args });
  };
  return (
    <>
      <Notice kind="warn">
        What is held for signatures has to stay, or no one pays for their operations. The service notices a withdrawal
        once the chain has confirmed it.
      </Notice>
      <TextInput label={`Amount in ${coinName(tank.chainId)}`} placeholder="0.1" value={amount} onChange={setAmount} />
      <WalletList
        action={isInTwoSteps ? 'Request it with' : 'Withdraw with'}
        isPrimary
        isPending={send.isPending || !isAmount}
        onChoose={(chosen) => send.mutate({ chosen, data: callData() })}
      />
      {isInTwoSteps ? (
        <>
          <p className="muted">
            The contract pays a request some time later, when the wallet asks for it a second time.
          </p>
          <WalletList
            action="Receive what was requested with"
            isPending={send.isPending}
            onChoose={(chosen) =>
              send.mutate({
                chosen,
                data: encodeFunctionData({ abi: functions.execute, args: [wallet as Address] }),
              })
            }
          />
        </>
      ) : null}
      <Problem error={walletProblem(send.error)} />
      <details>
        <summary>Send it another way</summary>
        <div className="details-body">
          {isAmount ? (
            <Facts
              facts={[
                ['To', <Value key="to" text={tank.contract} what="paymaster contract" />],
                ['Data', <Value key="data" text={callData()} what="call data" />],
                ['Value', '0'],
                ['Sent by', `the funding wallet itself, ${wallet}`],
              ]}
            />
          ) : (
            <p className="muted">Write an amount first.</p>
          )}
        </div>
      </details>
      <div role="status">
        {send.data === undefined ? null : (
          <Notice kind="good">
            Sent in transaction <Short hex={send.data} />.
          </Notice>
        )}
      </div>
    </>
  );
}
