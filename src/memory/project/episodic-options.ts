import type { Settings } from "../../config/default-settings.js";
import type { Environment } from "../../domain/environment.js";
import type { ModelReflector } from "../../episodic/reflections/model-reflectors.js";
import type { WindowOptions } from "../../episodic/reflections/reflection-window.js";

/** The configured reflection window. */
export function windowOptions(settings: Settings): WindowOptions {
  return {
    defaultCapacity: settings["memory_config.default_capacity"],
    presets: {
      simple: settings["memory_config.presets.simple"],
      moderate: settings["memory_config.presets.moderate"],
      complex: settings["memory_config.presets.complex"],
      maximum: settings["memory_config.presets.maximum"],
    },
    autoScaling: {
      enabled: settings["memory_config.auto_scaling.enabled"],
      scaleUpOn: settings["memory_config.auto_scaling.scale_up_on"],
      scaleDownOn: settings["memory_config.auto_scaling.scale_down_on"],
    },
  };
}

/** The model configured to write reflections; none by default. An agent runs in the project's folder, as in the loop. */
export async function modelReflector(
  settings: Settings,
  { environment, root }: { environment: Environment; root: string },
): Promise<ModelReflector | undefined> {
  const limits = {
    timeoutSeconds: settings["reflector.timeout_seconds"],
    maxInputTokens: settings["reflector.max_input_tokens"],
    maxOutputTokens: settings["reflector.max_output_tokens"],
    maxCalls: settings["reflector.max_calls"],
  };
  switch (settings["reflector.use"]) {
    case "rules":
      return undefined;
    case "agent": {
      const { agentReflector } = await import("../../episodic/reflections/model-reflectors.js");
      const command = settings["reflector.command"];
      return agentReflector({ ...limits, command, environment, folder: root });
    }
    case "openai": {
      const { openaiReflector } = await import("../../episodic/reflections/model-reflectors.js");
      return openaiReflector({
        ...limits,
        address: settings["reflector.address"],
        model: settings["reflector.model"],
        key: environment[settings["reflector.key_variable"]],
      });
    }
  }
}
