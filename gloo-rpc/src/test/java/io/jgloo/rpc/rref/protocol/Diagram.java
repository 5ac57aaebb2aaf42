package io.jgloo.rpc.rref.protocol;

import java.util.ArrayList;
import java.util.List;

/** Messages between agents, drawn as text: a column for each agent, a line for each message. */
public final class Diagram {

  private static final int COLUMN = 26;

  private final int agents;
  private final List<String> lines = new ArrayList<>();

  public Diagram(int agents) {
    this.agents = agents;
    StringBuilder head = new StringBuilder();
    for (int rank = 0; rank < agents; rank++) {
      head.append(name(rank)).append(" ".repeat(COLUMN - 1));
    }
    lines.add(head.toString().stripTrailing());
  }

  /** Name of the agent of a rank: A, B and so on. */
  public static char name(int rank) {
    return (char) ('A' + rank);
  }

  /**
   * Adds a message.
   *
   * @param call whether it is a call of the application
   */
  public void message(int from, int to, String label, boolean call) {
    char[] line = columns().toCharArray();
    int low = Math.min(from, to) * COLUMN;
    int high = Math.max(from, to) * COLUMN;
    for (int i = low + 1; i < high; i++) {
      line[i] = call ? '=' : '-';
    }
    line[from < to ? high - 1 : low + 1] = from < to ? '>' : '<';
    int begin = (low + high - label.length()) / 2;
    line[begin - 1] = ' ';
    line[begin + label.length()] = ' ';
    System.arraycopy(label.toCharArray(), 0, line, begin, label.length());
    lines.add(new String(line).stripTrailing());
  }

  /** Adds something that happens at an agent. */
  public void note(int rank, String what) {
    String text = "* " + what;
    char[] line = (columns() + " ".repeat(COLUMN)).toCharArray();
    System.arraycopy(text.toCharArray(), 0, line, rank * COLUMN, text.length());
    lines.add(new String(line).stripTrailing());
  }

  private String columns() {
    return ("|" + " ".repeat(COLUMN - 1)).repeat(agents).stripTrailing();
  }

  /** The lines, the first one names the agents. */
  public List<String> lines() {
    return List.copyOf(lines);
  }
}
