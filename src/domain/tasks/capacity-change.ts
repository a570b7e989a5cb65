/** A change in how many reflections a task's attempts start with (Ω). */
export interface CapacityChange {
  attempt_id: number;
  timestamp: string;
  from: number;
  to: number;
  reason: string;
}
