import type { Core, Input } from '../../core/domain/core.ts';
import type { PartStatus } from '../../core/domain/operations/service-operations.ts';
import type { Result } from '../../core/domain/result/result.ts';
import { type OperationName, operationNames, type Value } from '../../core/grpc/operation.ts';

type Answers = { [Name in OperationName]: (input: Input<Name>) => Promise<Result<Value<Name>>> };

/** A core for the far end of the wire: it remembers what it was asked and answers what the test says. */
export type RecordingCore = {
  readonly core: Core;
  /** Every call that arrived, in order. */
  readonly calls: { readonly name: OperationName; readonly input: unknown }[];
  /** Sets the answer of an operation; one without an answer rejects. */
  answerWith<Name extends OperationName>(
    name: Name,
    answer: (input: Input<Name>) => Promise<Result<Value<Name>>>,
  ): void;
  status: () => Promise<readonly PartStatus[]>;
};

export function createRecordingCore(): RecordingCore {
  const answers: Partial<Answers> = {};
  const answer = <Name extends OperationName>(name: Name, input: Input<Name>): Promise<Result<Value<Name>>> => {
    recording.calls.push({ name, input });
    return answers[name]?.(input) ?? Promise.reject(new Error(`no answer to ${name}`));
  };
  const performers = operationNames.map((name) => [name, (input: Input<typeof name>) => answer(name, input)]);
  const core: Core = {
    ...(Object.fromEntries(performers) as Pick<Core, OperationName>), // every operation by its name
    status: () => recording.status(),
  };
  const recording: RecordingCore = {
    core,
    calls: [],
    answerWith(name, given) {
      Object.assign(answers, { [name]: given });
    },
    status: async () => [{ part: 'store', ready: true, detail: 'ok' }],
  };
  return recording;
}
