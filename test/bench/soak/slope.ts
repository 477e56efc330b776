/** By how much the values rise for each unit of time: the slope of the straight line that is nearest to them (least squares). */
export function slope(points: readonly { readonly time: number; readonly value: number }[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const time = mean(points.map((point) => point.time));
  const value = mean(points.map((point) => point.value));
  const covariance = mean(points.map((point) => (point.time - time) * (point.value - value)));
  const variance = mean(points.map((point) => (point.time - time) ** 2));
  return variance === 0 ? 0 : covariance / variance;
}
