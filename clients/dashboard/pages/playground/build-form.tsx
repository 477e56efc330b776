import { useQuery } from '@tanstack/react-query';
import type { DecisionItem } from '@tollfree/contract/decision-fields';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';
import { useState } from 'react';
import {
  type Address,
  concatHex,
  encodeFunctionData,
  encodePacked,
  formatEther,
  type Hex,
  numberToHex,
  parseAbi,
  parseEther,
} from 'viem';
import { decodeCall, type Method, readAbi } from '../../abi/read-abi.ts';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Choice } from '../../parts/choice.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { type AskFormProps, askFor } from './paste-form.tsx';

type BuildFormProps = AskFormProps & {
  /** An earlier request, whose sender, nonce and first call are the initial values. */
  readonly decision: DecisionItem | undefined;
};

/** Builds an operation with one call of a registered contract. */
export function BuildForm(props: BuildFormProps) {
  const contracts = useQuery(contractsQuery(usePaymaster()));
  return (
    <Loaded query={contracts}>
      {(list) =>
        list.length === 0 ? (
          <Empty title="No contracts yet.">Register a contract first, or paste a request.</Empty>
        ) : (
          <FormFor {...props} contracts={list} />
        )
      }
    </Loaded>
  );
}

function FormFor({
  contracts,
  decision,
  isPending,
  onAsk,
}: BuildFormProps & { readonly contracts: readonly SmartContractItem[] }) {
  const paymaster = usePaymaster();
  const [call] = decision?.facts?.calls ?? [];
  const [sender, setSender] = useState(decision?.sender ?? '');
  const [nonce, setNonce] = useState(decision?.nonce ?? '0');
  const [kind, setKind] = useState<AccountKind>('simple');
  const [address, setAddress] = useState(
    () => contracts.find((each) => each.address.toLowerCase() === call?.target.toLowerCase())?.address ?? '',
  );
  const [signature, setSignature] = useState('');
  const [args, setArgs] = useState(() => argumentsOf(contracts, call));
  const [value, setValue] = useState(() => formatEther(BigInt(call?.value ?? '0')));
  const [problem, setProblem] = useState<Error>();
  const contract = contracts.find((each) => each.address === address) ?? contracts[0];
  const read = readAbi(contract?.abi ?? '');
  const methods = (read.ok ? read.methods : []).filter(({ whyNot }) => whyNot === undefined);
  const method = chosenOf(methods, { signature, selector: call?.selector });
  return (
    <FieldForm
      savesNothing
      action={{ isPending, error: problem ?? null }}
      submit="Explain"
      onSubmit={() => {
        if (contract === undefined || method === undefined) return;
        try {
          const asked = {
            to: contract.address as Address,
            value: parseEther(value || '0'),
            data: dataOf(method, args),
          };
          setProblem(undefined);
          const operation = {
            ...likeBefore(decision, { sender: sender.trim(), nonce }),
            sender: sender.trim(),
            nonce: numberToHex(BigInt(nonce || '0')),
            callData: encodeAccountCall(kind, asked),
          };
          onAsk(askFor(operation, paymaster));
        } catch (error) {
          setProblem(new Error(error instanceof Error ? shortOf(error) : 'The arguments do not fit the method.'));
        }
      }}
    >
      <TextInput
        label="Sender"
        hint="A smart account that exists on the chain."
        placeholder="0x…"
        isRequired
        isCode
        value={sender}
        onChange={setSender}
        check={(text) => (/^0x[0-9a-fA-F]{40}$/.test(text.trim()) ? undefined : 'An address is 0x and 40 hex digits.')}
      />
      <Choice label="Type of account" value={kind} options={accountKinds} onChange={setKind} />
      <TextInput
        label="Nonce"
        numeric
        value={nonce}
        onChange={setNonce}
        check={(text) => (/^\d*$/.test(text) ? undefined : 'A nonce is a whole number.')}
      />
      <div className="form-row">
        <Choice
          label="Contract"
          value={contract?.address ?? ''}
          options={contracts.map((each) => ({ value: each.address, text: each.name }))}
          onChange={setAddress}
        />
        <Choice
          label="Method"
          value={method?.signature ?? ''}
          options={methods.map((each) => ({ value: each.signature, text: each.signature }))}
          onChange={(next) => {
            setSignature(next);
            setArgs([]);
          }}
        />
      </div>
      <ArgumentFields method={method} args={args} setArgs={setArgs} />
      {method?.item.stateMutability === 'payable' ? (
        <TextInput label="Coin to send" numeric value={value} onChange={setValue} />
      ) : null}
    </FieldForm>
  );
}

type Call = NonNullable<NonNullable<DecisionItem['facts']>['calls']>[number];

/** The arguments of an earlier call, as text. */
function argumentsOf(contracts: readonly SmartContractItem[], call: Call | undefined): readonly string[] {
  const abi = contracts.find((each) => each.address.toLowerCase() === call?.target.toLowerCase())?.abi;
  const decoded = abi === undefined || call?.data === undefined ? undefined : decodeCall(abi, call.data);
  return decoded?.map((argument) => argument.value) ?? [];
}

/** The chosen method, else that of the earlier call, else the first. */
function chosenOf(
  methods: readonly Method[],
  { signature, selector }: { readonly signature: string; readonly selector: string | undefined },
): Method | undefined {
  return (
    methods.find((each) => each.signature === signature) ??
    methods.find((each) => each.selector === selector) ??
    methods[0]
  );
}

type ArgumentFieldsProps = {
  readonly method: Method | undefined;
  readonly args: readonly string[];
  readonly setArgs: (args: readonly string[]) => void;
};

function ArgumentFields({ method, args, setArgs }: ArgumentFieldsProps) {
  const inputs = method?.item.inputs ?? [];
  return inputs.map(({ name, type }, index) => (
    <TextInput
      // biome-ignore lint/suspicious/noArrayIndexKey: arguments are told apart by their positions
      key={`${method?.signature} ${index}`}
      label={`${name || `Argument ${index + 1}`} (${type})`}
      isCode
      value={args[index] ?? ''}
      onChange={(text) => setArgs(inputs.map((_, each) => (each === index ? text : (args[each] ?? ''))))}
    />
  ));
}

/** The call's data. Throws if a text does not match its argument. */
function dataOf({ item }: Method, args: readonly string[]) {
  const values = item.inputs.map(({ type }, index) => readArgument(type, args[index] ?? ''));
  return encodeFunctionData({ abi: [item], args: values });
}

/** Default price in wei per gas: 1 gwei. */
const usualFee = '1000000000';
/** As long as a private key's signature, and of a form that recovers some address: accounts revert on others. */
const dummySignature = `0x${'f'.repeat(31)}${'0'.repeat(33)}${'7'.padEnd(64, 'a')}1c`;

/** Parses text by the type: lists and structs as JSON. */
function readArgument(type: string, text: string): unknown {
  if (/[\]]$|^tuple/.test(type)) return JSON.parse(text);
  if (type === 'bool') return text === 'true';
  if (/^u?int/.test(type)) return BigInt(text);
  return text;
}

/** The fields that the form does not ask for: the gas price of the earlier request, and a signature of the usual length. */
function likeBefore(decision: DecisionItem | undefined, account: { readonly sender: string; readonly nonce: string }) {
  const maxFeePerGas = decision?.facts?.maxFeePerGas ?? usualFee;
  return { ...deploymentOf(decision, account), maxFeePerGas, maxPriorityFeePerGas: '0x1', signature: dummySignature };
}

/** What gives the account of the earlier request its code. An account that has a later nonce has its code. */
function deploymentOf(
  decision: DecisionItem | undefined,
  { sender, nonce }: { readonly sender: string; readonly nonce: string },
): object {
  const earlier = decision?.request?.params[0];
  if (typeof earlier !== 'object' || earlier === null) return {};
  if (sender !== decision?.sender || nonce !== decision.nonce) return {};
  const fields = ['initCode', 'factory', 'factoryData', 'eip7702Auth'];
  return Object.fromEntries(Object.entries(earlier).filter(([name]) => fields.includes(name)));
}

function shortOf(error: Error): string {
  return 'shortMessage' in error ? String(error.shortMessage) : `The arguments do not fit the method: ${error.message}`;
}

type AccountCall = { readonly to: Address; readonly value: bigint; readonly data: Hex };

/** Account kinds by their call format: `execute(address,uint256,bytes)`, `execute(bytes32,bytes)` or `executeUserOp`. */
const accountKinds = [
  { value: 'simple', text: 'SimpleAccount, Coinbase, Light Account' },
  { value: 'erc7579', text: 'ERC-7579, such as Kernel and Nexus' },
  { value: 'safe', text: 'Safe' },
] as const;
type AccountKind = (typeof accountKinds)[number]['value'];

const execute = parseAbi(['function execute(address dest, uint256 value, bytes data)']);
const execute7579 = parseAbi(['function execute(bytes32 mode, bytes executionCalldata)']);
const executeSafe = parseAbi(['function executeUserOp(address to, uint256 value, bytes data, uint8 operation)']);

/** Call data of an operation that makes one call. */
function encodeAccountCall(kind: AccountKind, { to, value, data }: AccountCall): Hex {
  switch (kind) {
    case 'simple':
      return encodeFunctionData({ abi: execute, args: [to, value, data] });
    case 'erc7579': {
      const one = concatHex([encodePacked(['address', 'uint256'], [to, value]), data]);
      return encodeFunctionData({ abi: execute7579, args: [`0x${'0'.repeat(64)}`, one] });
    }
    case 'safe':
      return encodeFunctionData({ abi: executeSafe, args: [to, value, data, 0] });
  }
}
