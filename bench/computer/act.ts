/** An action that the oracle answers with; places are on the grid of 0 to 999. */
export type Act =
  | {
      name: 'click' | 'double_click' | 'triple_click' | 'move' | 'mouse_down' | 'mouse_up';
      x: number;
      y: number;
    }
  | { name: 'drag_and_drop'; x: number; y: number; destination_x: number; destination_y: number }
  | { name: 'scroll'; x: number; y: number; direction: 'up' | 'down'; magnitude: number }
  | { name: 'type'; text: string; press_enter?: boolean }
  | { name: 'press_key' | 'key_down' | 'key_up'; key: string }
  | { name: 'hotkey'; keys: string[] }
  | { name: 'wait'; seconds: number };

export const WINDOW = { width: 1440, height: 900 } as const;

/** The step of the grid whose pixel is nearest. */
export function gridOf(pixel: number, size: number): number {
  return Math.min(999, Math.max(0, Math.round(((pixel + 0.5) * 1000) / size - 0.5)));
}

/** The pixel of a step of the grid, as the product takes it. */
export function pixelOf(step: number, size: number): number {
  return Math.floor((step * size) / 1000);
}
