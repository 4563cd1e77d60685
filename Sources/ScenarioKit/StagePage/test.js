// The test that pins what's on stage.

/** The lines of a part's closure and of everything else at the top level of the program's file. */
function partsOfFile(title) {
  const lines = (stage.files[0]?.lines ?? []).map(([, text]) => text);
  const start = lines.findIndex((line) =>
    /^\w+\.part\(/.test(line) && line.includes(JSON.stringify(title)));
  if (start < 0) return null;
  const length = lines.slice(start).findIndex((line) => line === "}");
  const isOwn = (line) => /^(\w+\.(part|run)\(|let \w+ = Scenario\(|import )/.test(line);
  const others = [];
  for (let index = 0; index < lines.length; index++) {
    if (!isOwn(lines[index])) {
      others.push(lines[index]);
      continue;
    }
    // A closure or a call over several lines belongs to its first line.
    if (/[{(]$|\{ \w+ in$/.test(lines[index])) {
      while (index + 1 < lines.length && !/^[)}]/.test(lines[++index]));
    } else if (/^ /.test(lines[index + 1] ?? "")) {
      while (/^ /.test(lines[index + 1] ?? "")) index++;
    }
  }
  return { body: lines.slice(start + 1, start + length), others: others.join("\n").trim() };
}

/** A name for a test, from the words of a title. */
const nameOf = (title) => {
  const words = title.normalize("NFD").replace(/[^\p{L}\p{N} ]/gu, "").split(" ").filter(Boolean);
  const name = words.map((word, index) =>
    index ? word[0].toUpperCase() + word.slice(1) : word.toLowerCase()).join("");
  return /^\p{L}/u.test(name) ? name : "theRun" + name;
};

/** The test as text. */
function testOf({ program, part, run }) {
  const title = program.parts[part - 1];
  const found = partsOfFile(title);
  const { moves, schedule, fault } = variationOf(stage);
  const arguments_ = [
    schedule ? `schedule: "${schedule}"` : "",
    moves.length === 1 ? `moving: ${JSON.stringify(moves[0])}`
      : moves.length ? `moving: [${moves.map((move) => JSON.stringify(move)).join(", ")}]` : "",
  ].filter(Boolean).join(", ");
  const printed = run.events.filter((event) => event.role === "console").map((event) => event.text);
  const isAlone = stage.program.scenario === "playground" && found;
  const body = (found?.body ?? ["  // Set up your stubs and your code here."]).map((line) =>
    "  " + line.replace(/\bprint\(((?:[^()]|\([^()]*\))*)\)/g, "print($1, to: &screen)"));
  return [
    ...(isAlone ? [] : ["// This scenario's functions, values and flags are in its own files: add them."]),
    "import StreamsTesting", "import Testing", "",
    ...(found?.others ? [found.others, ""] : []),
    `@Test func ${nameOf(title)}() {`,
    `  withWorld${arguments_ ? `(${arguments_})` : ""} { world in`,
    ...(fault ? [`    world.network.inject("${fault}")`] : []),
    "    nonisolated(unsafe) var screen = \"\"",
    ...body,
    "    world.run()",
    "    #expect(",
    '      screen == """',
    ...printed.map((line) => "        " + line.replaceAll("\\", "\\\\")),
    "",
    '        """)',
    "  }",
    "}",
  ].join("\n") + "\n";
}
