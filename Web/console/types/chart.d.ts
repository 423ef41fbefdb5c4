// What the console uses of Chart.js 3.9.
declare module "chart.js" {
  export class Chart {
    static register(...parts: unknown[]): void;
    static defaults: { font: { family?: string; size?: number }; color?: string; animation?: false };
    constructor(canvas: HTMLCanvasElement, settings: unknown);
    update(): void;
    destroy(): void;
  }
  export const BarController: unknown;
  export const BarElement: unknown;
  export const LineController: unknown;
  export const LineElement: unknown;
  export const PointElement: unknown;
  export const CategoryScale: unknown;
  export const LinearScale: unknown;
  export const Legend: unknown;
  export const Tooltip: unknown;
}
