/** A change of the number of reflections that a task's attempts start with (Ω). */
export interface CapacityChange {
  attempt_id: number;
  timestamp: string;
  from: number;
  to: number;
  reason: string;
}
