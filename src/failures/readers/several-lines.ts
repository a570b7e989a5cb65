import { type BlockPattern, readPattern } from "../failure-reader.js";
import { findJavascriptPlace, rubyFrame } from "../stack-places.js";

const dotnetFrame = /^\s*at .+ in (?<file>(?:[A-Za-z]:)?[^:]+):line (?<line>\d+)$/;
const phpFrame = /^(?<file>(?!\S*\/vendor\/)\/?\S+\.php):(?<line>\d+)$/;

const tests: BlockPattern[] = [
  {
    tool: "deno",
    header: /^(?<test>.+) => (?<file>\S+):(?<line>\d+):\d+$/,
    end: /^ FAILURES $/,
    needs: /^error: (?!Test failed)(?<message>.+)$/,
    place: findJavascriptPlace,
  },
  {
    tool: "jasmine",
    header: /^\d+\) (?<test>.+)$/,
    end: /^\d+ specs?, /,
    needs: /^\s*Message:$/,
    place: findJavascriptPlace,
  },
  {
    tool: "jasmine",
    header: /^\S.* \([^)]*\) (?!.*Executed \d)(?<test>.+) FAILED$/,
    end: /^\S/,
    needs: /^\t(?<message>.+)$/,
    place: findJavascriptPlace,
  },
  {
    tool: "cucumber",
    header: /^\d+\) Scenario: (?<test>.+?) # (?<file>\S+):(?<line>\d+)$/,
    below: /^\s*[✖×] /,
  },
  {
    tool: "ginkgo",
    header: /^ {2}\[FAIL\] (?<test>.+)$/,
    needs: /^ {2}(?<file>\S+):(?<line>\d+)$/,
    end: /^$/,
  },
  {
    tool: "googletest",
    header: /^(?<file>[^\s:]+):(?<line>\d+): Failure$/,
    above: /^\[ RUN {6}\] (?<test>\S+)$/,
    isParagraph: true,
  },
  {
    tool: "dart",
    header: /^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: (?:(?<file>\S+\.dart): )?(?<test>.+) \[E\]$/,
    end: /^\d\d:\d\d \+/,
    details: [/^ {2}(?<file>\S+\.dart) (?<line>\d+):\d+ /],
  },
  {
    tool: "scalatest",
    header: /^\[info\] +-? ?(?<test>.+) \*\*\* FAILED \*\*\*$/,
    needs: /^\[info\] +(?<message>.+?)(?: \((?<file>\S+\.scala):(?<line>\d+)\))?$/,
  },
  {
    tool: "dotnet",
    header: /^ {0,2}(?:Failed|X) (?<test>[\w.+`<>]+(?:\(.*\))?|[A-Za-z_].*?) \[[<\d][^\]]*m?s\]$/,
    end: /^(?:Failed!|Passed!|Test Run Failed)| {2}(?:Passed|Skipped) /,
    details: [dotnetFrame],
  },
  {
    tool: "dotnet",
    header: /^\s*(?<file>\S+\.\w+)\((?<line>\d+)\): error TESTERROR:\s*$/,
    needs: /^\s*(?<test>\S.*?) \([\d.]+m?s\): Error Message: (?<message>.+)$/,
  },
  {
    tool: "rspec",
    section: /^Failures:$/,
    header: /^ {2}\d+\) (?<test>.+)$/,
    end: /^(?:Finished in|Failed examples:|Pending:)/,
    below: /^\s*Failure\/Error:/,
    details: [rubyFrame],
  },
  {
    tool: "rspec",
    header: /^An error occurred while loading (?<file>\S+?)\.(?: - .*)?$/,
    end: /^Finished in /,
    below: /^\s*Failure\/Error:/,
    details: [rubyFrame],
  },
  {
    tool: "minitest",
    header: /^ *(?:\d+\) )?(?:Failure|Error|Minitest::UnexpectedError):$/,
    end: /^\d+ runs,|^(?:bin\/)?rails test /,
    details: [rubyFrame],
    needs: /^\s*(?<test>\S+#\S.*?)(?: \[(?<file>[^\]]+):(?<line>\d+)\])?:$/,
  },
  {
    tool: "phpunit",
    header: /^\d+\) (?<test>[\w\\]+::\S.*)$/,
    end: /^(?:FAILURES!|ERRORS!|--$|There (?:was|were) \d+)/,
    section: /^There (?:was|were) \d+ (?:failure|error)s?:$/,
    details: [phpFrame],
  },
  {
    tool: "phpunit",
    header: /^\s*FAILED {2}(?<test>\S.*? > .+?)(?: {2,}(?<what>\w+))?\s*$/,
    end: /^\s*(?:Tests:|─{10})/,
    details: [/^\s*at (?<file>\S+\.php):(?<line>\d+)\s*$/],
  },
  {
    tool: "exunit",
    header: /^ {2}\d+\) (?<test>(?:test|doctest|property) .+ \(\S+\))$/,
    end: /^Finished in /,
    needs: /^\s*(?<file>\S+\.exs?):(?<line>\d+)$/,
    details: [/^\s*(?<file>[^\s(]\S*\.exs?):(?<line>\d+): /],
  },
];

const checkers: BlockPattern[] = [
  {
    tool: "biome",
    header: /^(?<file>[^\s:]+)(?::(?<line>\d+):\d+)? (?<code>[a-z]+(?:\/\S+)?) [A-Z ]*━+$/,
    end: /^\S/,
    needs: /^ +[×✖] (?<message>.+)$/,
  },
  {
    tool: "biome",
    output: /^ +[×✖] Some warnings were emitted while running checks/,
    header: /^(?<file>[^\s:]+)(?::(?<line>\d+):\d+)? (?<code>[a-z]+(?:\/\S+)?) [A-Z ]*━+$/,
    end: /^\S/,
    needs: /^ +! (?<message>.+)$/,
  },
  // ruff with source lines
  {
    header: /^(?<code>[A-Z]+\d+|[a-z]+-[a-z-]+(?=:)|unformatted(?=:)):? (?:\[\*\] )?(?<message>.+)$/,
    end: /^$/,
    needs: /^ *--> (?<file>[^:]+):(?<line>\d+):\d+$/,
  },
  {
    header: /^ *error: (?<message>.+)$/,
    end: /^$/,
    needs: /^\s*└─ (?<file>[^\s:]+\.exs?):(?<line>\d+)/,
  },
  {
    header: /^(?<file>[^\s:]+\.l?hs):(?<line>\d+):\d+: error:(?: \[(?<code>GHC-\d+)\].*)?$/,
    end: /^$/,
    needs: /^\s*(?:• )?(?<message>\S.+)$/,
  },
  {
    header: /^CMake Error at (?<file>[^\s:]+):(?<line>\d+)(?: \(\w+\))?:$/,
    end: /^\S/,
    isParagraph: true,
  },
  {
    tool: "shellcheck",
    header: /^In (?<file>\S+) line (?<line>\d+):$/,
    end: /^For more information:$/,
    needs: /^\s*\^-*\^? (?<code>SC\d{4})(?: \(\w+\))?: (?<message>.+)$/,
  },
  {
    tool: "bandit",
    header: /^>> Issue: \[(?<code>B\d{3})(?::\w+)?\] (?<message>.+)$/,
    needs: /^\s+Location: (?<file>[^\s:]+):(?<line>\d+)/,
  },
  {
    header: /^\s*- (?<what>Broken (?:link|anchor)) on source page path = (?<file>\S+):$/,
    end: /^\s*$/,
    needs: /^\s*-> linking to (?<message>\S+)/,
  },
  {
    tool: "webpack",
    header: /^ERROR in (?!\[)(?:(?<file>[^\s:]+\.\w+)(?:[: ](?<line>\d+):\d+(?:-[\d:]+)?)?|\S.*)$/,
    end: /^(?:webpack \d|ERROR in |$)/,
    needs: /^(?!\[tsl\])(?:(?<code>TS\d+): )?(?<message>\S.*)$/,
  },
  {
    tool: "next",
    section: /^\s*(?:Failed to compile\.|.*Turbopack build failed with \d+ errors?:)\s*$/,
    header: /^(?<file>\.\/[^\s:]+\.\w+)(?::(?<line>\d+):\d+)?$/,
    end: /^(?:info|> Build|Import trace|https?:)/,
    unless: /^\d+:\d+ +Warning: /,
    details: [/^\s*(?<line>\d+):\d+ +Error: (?<message>.*?)(?: {2,}(?<code>\S+))?$/],
  },
  {
    tool: "esbuild",
    header: /^\s*[✘X] \[ERROR\] (?:(?<code>TS-?\d+|NG\d+): )?(?<message>.+?)(?: \[plugin [^\]]+\])?$/,
    end: /^\d+ errors?$/,
    details: [/^ {4}(?<file>[^\s:]+):(?<line>\d+):\d+:$/],
  },
  {
    tool: "size-limit",
    header: /^\s*(?<message>Package size limit has exceeded by .+)$/,
    above: /^\s*(?<file>\S+\.\w+)$/,
    details: [/^\s*(?<reason>Size limit: .+)$/],
  },
];

const programs: BlockPattern[] = [
  {
    tool: "dotnet",
    header: /^(?:Unhandled exception\. )?(?:\w+\.)+(?<code>\w*Exception)(?: \(0x\w+\))?: (?<message>.+)$/,
    end: /^$/,
    needs: /^ {3}at /,
    details: [dotnetFrame],
  },
  // exceptions on the consoles of Laravel and Symfony
  {
    header: /^ {2,3}(?<code>[A-Z]\w*(?:\\\w+)+) *$/,
    needs: /^ {2}at (?<file>\S+\.php):(?<line>\d+)$/,
  },
  { header: /^ *In (?<file>\S+\.php) line (?<line>\d+):\s*$/, needs: /^\s*(?<message>\S.*)$/ },
  {
    tool: "prisma",
    header: /^Error: (?<code>P\d{4})(?:: (?<message>.+))?$/,
    details: [/^Database error: (?:ERROR: +)?(?<message>\S.+)$/, /^ERROR: +(?<message>.+)$/],
  },
  {
    tool: "flyway",
    header: /^SQL State +: \w+$/,
    end: /^$/,
    needs: /^Message +: (?:ERROR: )?(?<message>.+)$/,
    details: [/^Location +: (?<file>\S+)/, /^Line +: (?<line>\d+)/],
  },
  // Rails first reports that a migration failed, then why.
  {
    tool: "rails",
    header: /^(?:rails|rake|bin\/rails) aborted!$/,
    end: /^Tasks: TOP/,
    details: [
      /^(?<code>(?!StandardError: An error has)[A-Z]\w*(?:::\w+)*): (?:ERROR: +)?(?<message>\S.+)$/,
      rubyFrame,
    ],
  },
  {
    tool: "pip",
    header:
      /^ERROR: (?<message>Cannot install .+ because these package versions have conflicting dependencies)\.$/,
    end: /^ERROR: /,
    details: [/^ +(?<reason>\S.* depends on .+)$/],
  },
  { header: /^\s*[×x] No solution found when resolving .*:$/, isParagraph: true },
  // The reason why a native gem could not be built is further up.
  {
    tool: "bundler",
    header: /^(?<message>An error occurred while installing .+), and Bundler cannot continue\.$/,
    above: /^(?<reason>Can't find.*|.*\b(?:fatal )?error: .*|\S.* is missing.*|checking for .*\.\.\. no)$/,
  },
  { tool: "composer", header: /^ {2}Problem \d+$/, end: /^$/, needs: /^\s*- (?<message>.+)$/ },
  // Cargo names who requested the conflicting versions.
  {
    tool: "cargo",
    header: /^error: (?<message>failed to (?:select a version for|get|resolve|parse manifest|load).+)$/,
    details: [
      /^ +(?<reason>[a-z].+)$/,
      /^(?<reason>(?:candidate versions found|the package .* depends on|no matching package|failed to select).*)$/,
    ],
  },
];

export const testBlocks = tests.map(readPattern);
export const checkerBlocks = checkers.map(readPattern);
export const programBlocks = programs.map(readPattern);
