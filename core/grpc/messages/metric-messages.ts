import {
  FigureLabelsSchema,
  FigureListSchema,
  FigureSampleSchema,
  FigureSchema,
} from '../../../proto/gen/tollfree/core/v1/figures_pb.ts';
import { type Metric, metricKinds, type Sample, sampleSuffixes } from '../../base/metrics/metric.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { required } from '../codec/presence.ts';
import { soleField } from '../codec/sole-field.ts';
import { textMap } from '../codec/text-map.ts';

const sample = messageOf<Sample>()(FigureSampleSchema, {
  suffix: oneOf(sampleSuffixes),
  labels: required(soleField(FigureLabelsSchema, textMap)),
});
const metric = messageOf<Metric>()(FigureSchema, { kind: oneOf(metricKinds), samples: listOf(sample) });
export const metrics = soleField(FigureListSchema, listOf(metric));
